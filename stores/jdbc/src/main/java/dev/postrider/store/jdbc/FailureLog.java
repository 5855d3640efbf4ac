package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.internal.StoredText;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * The failed attempts of a message, for operators: a line for each, with its time by the database's clock and its error, as the column {@code
 * failures} holds them. Only the latest are kept, so that a message which fails for days stays small.
 */
@Internal
public final class FailureLog {

    private static final int LONGEST = 4_000;
    private static final int LONGEST_ERROR = 400;

    private FailureLog() {}

    /** An attempt that failed. */
    public record Failure(Instant at, String error) {}

    /**
     * What the column becomes, with two parameters: the attempts that are counted now, and the {@link #line}.
     *
     * @param attempts how many were counted before; an outage adds none, and is not written down
     */
    static String appended(Dialect dialect, String before, String attempts) {
        return "CASE WHEN ? > %1$s THEN RIGHT(CONCAT(COALESCE(%2$s, ''), %3$s, COALESCE(?, '')), %4$d) ELSE %2$s END"
                .formatted(attempts, before, dialect.nowAsText(), LONGEST);
    }

    /** What follows the time. */
    static String line(String error) {
        return " " + StoredText.of(error.replaceAll("\\s+", " "), LONGEST_ERROR) + "\n";
    }

    /** The oldest first. What cannot be read, such as a line that was cut, is left out. */
    public static List<Failure> read(String stored) {
        List<Failure> failures = new ArrayList<>();
        for (String line : stored.split("\n")) {
            String[] parts = line.split(" ", 3);
            try {
                failures.add(new Failure(
                        Instant.parse(parts[0] + "T" + parts[1].replaceFirst("\\+00$", "") + "Z"), parts[2]));
            } catch (DateTimeParseException | ArrayIndexOutOfBoundsException cut) {
                // The oldest line, of which only the end was kept.
            }
        }
        return failures;
    }
}
