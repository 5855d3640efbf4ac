package dev.postrider.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as people read them. */
public final class Times {

    private Times() {}

    /** {@code 350 ms}, {@code 42 s}, {@code 5 m 12 s}, {@code 3 h 20 m}, {@code 12 d 4 h}. */
    public static String age(Duration age) {
        long seconds = age.toSeconds();
        if (seconds < 10) {
            return age.toMillis() + " ms";
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return age.toMinutes() + " m " + age.toSecondsPart() + " s";
        }
        return seconds < 86_400
                ? age.toHours() + " h " + age.toMinutesPart() + " m"
                : age.toDays() + " d " + age.toHoursPart() + " h";
    }

    /** To the second, in UTC. */
    public static String moment(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
