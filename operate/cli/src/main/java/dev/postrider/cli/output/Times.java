package dev.postrider.cli.output;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as people read them. */
public final class Times {

    private Times() {}

    /** To the second, in UTC. */
    public static String moment(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
