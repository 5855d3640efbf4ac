package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;

/** Patterns for {@code LIKE ? ESCAPE '!'}, in which every character of a text stands for itself. */
@Internal
public final class LikePattern {

    private LikePattern() {}

    /** Texts that contain this one. */
    public static String containing(String text) {
        return "%" + exactly(text) + "%";
    }

    /** Texts that match one in which {@code *} stands for any letters. */
    public static String wildcard(String text) {
        return exactly(text).replace("*", "%");
    }

    private static String exactly(String text) {
        return text.replaceAll("[!%_]", "!$0");
    }
}
