package dev.postrider.spi;

import java.time.Instant;
import java.util.Objects;

/**
 * What a relay knows about a message beside the message itself, for the destination that it is sent to. Immutable.
 *
 * @param run the messages that it is sent in order with
 * @param createdAt when its row was inserted, by the database's clock; for one that was delayed, when it became due
 * @param failedAttempts how many attempts have failed before this one
 * @param span the span of this attempt; the relay has made it current on the thread that calls {@code send}, and ends it
 */
public record SendContext(KeyRun run, Instant createdAt, int failedAttempts, TraceSpan span) {

    public SendContext {
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(span, "span");
    }

    /** The context of an attempt that is not traced. */
    public SendContext(KeyRun run, Instant createdAt, int failedAttempts) {
        this(run, createdAt, failedAttempts, TraceSpan.NONE);
    }

    /** The context of the first attempt at a message that comes from no row: it counts as written at the epoch. */
    public static SendContext of(KeyRun run) {
        return new SendContext(run, Instant.EPOCH, 0);
    }

    /** The same with this span. */
    public SendContext with(TraceSpan attempt) {
        return new SendContext(run, createdAt, failedAttempts, attempt);
    }
}
