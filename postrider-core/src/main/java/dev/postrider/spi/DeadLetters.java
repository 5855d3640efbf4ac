package dev.postrider.spi;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Messages that were given up, for operators.
 *
 * <p>Operators never move rows themselves: a retry is a request, which the owner of the lane carries out, so that the order
 * of the key is kept. Every retry and discard leaves a record of who did it. Thread-safe.
 */
public interface DeadLetters {

    /** By lane and seq, after the given letter, if one is given. */
    List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit);

    Optional<DeadLetter> find(MessageId id);

    /** How many match; stops counting at {@code atMost}. */
    long count(DeadLetterFilter filter, long atMost);

    /** Asks for another delivery of those that match, at most {@code limit}; attempts start anew. Returns how many. */
    int requestRetry(DeadLetterFilter filter, int limit, String operator);

    /** Deletes those that match, at most {@code limit}. Returns how many. */
    int discard(DeadLetterFilter filter, int limit, String operator);

    /** One message that was given up. */
    record DeadLetter(
            RowRef ref,
            OutboxMessage message,
            Change.DeadReason reason,
            int attempts,
            String error,
            Instant createdAt,
            Optional<Instant> firstFailedAt,
            Instant diedAt,
            boolean retryRequested) {}
}
