package dev.postrider.spi;

import java.time.Instant;
import java.util.Objects;

/**
 * What a relay knows about a message beside the message itself, for the destination that it is sent to. Immutable.
 *
 * @param run the messages that it is sent in order with
 * @param createdAt when its row was inserted, by the database's clock; for one that was delayed, when it became due
 * @param failedAttempts how many attempts have failed before this one
 */
public record SendContext(KeyRun run, Instant createdAt, int failedAttempts) {

    public SendContext {
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(createdAt, "createdAt");
    }

    /** The context of a message that is tried for the first time and counts as written now. */
    public static SendContext of(KeyRun run) {
        return new SendContext(run, Instant.now(), 0);
    }
}
