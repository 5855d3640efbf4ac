package dev.postrider.service.config;

import dev.postrider.internal.Internal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody may have meant. */
@Internal
public final class NearestName {

    private NearestName() {}

    /** The name with the fewest letters to change; empty when all are far off. */
    public static Optional<String> of(String wrong, Collection<String> names) {
        int atMost = Math.max(2, wrong.length() / 2);
        return names.stream()
                .filter(name -> distance(wrong, name) <= atMost)
                .min(Comparator.comparingInt((String name) -> distance(wrong, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** A question to append to a message, or nothing. */
    public static String hint(String wrong, Collection<String> names) {
        return of(wrong, names).map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /** How many letters must be added, removed or replaced: row by row, each from the one above it. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[to.length()];
    }
}
