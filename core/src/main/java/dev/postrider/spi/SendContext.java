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

    /** The context of the first attempt at a message that comes from no row: it counts as written at the epoch. */
    public static SendContext of(KeyRun run) {
        return new SendContext(run, Instant.EPOCH, 0);
    }
}
