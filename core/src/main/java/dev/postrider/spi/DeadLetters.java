package dev.postrider.spi;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages that were given up, for operators.
 *
 * <p>Operators never move rows themselves: a retry is a request, which the owner of the lane carries out, so that the order
 * of the key is kept. Every retry and discard leaves a record of who did it. Thread-safe.
 */
public interface DeadLetters {

    /** The letters that match, by lane and seq; those after the given letter, if one is given. */
    List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit);

    /** The letter with this id. */
    default Optional<DeadLetter> find(MessageId id) {
        return list(DeadLetterFilter.byId(id), Optional.empty(), 1).stream().findFirst();
    }

    /** The rows of matching letters, by lane and seq, at most {@code limit}: what a later call acts on, and nothing that died since. */
    default List<RowRef> refs(DeadLetterFilter filter, int limit) {
        return list(filter, Optional.empty(), limit).stream()
                .map(DeadLetter::ref)
                .toList();
    }

    /** The stored headers and payload of a letter, whatever its size; empty if it is gone, or if the store cannot tell. */
    default Optional<RawContent> raw(RowRef letter) {
        return Optional.empty();
    }

    /** How many match; stops counting at {@code atMost}. */
    default long count(DeadLetterFilter filter, long atMost) {
        return refs(filter, (int) Math.min(atMost, Integer.MAX_VALUE)).size();
    }

    /** How many there are of each reason that occurs; stops counting at {@code atMost} letters of all reasons together. */
    default Map<DeadReason, Long> countByReason(int atMost) {
        Map<DeadReason, Long> counts = new EnumMap<>(DeadReason.class);
        long left = atMost;
        for (DeadReason reason : DeadReason.values()) {
            long count = left == 0 ? 0 : count(DeadLetterFilter.all().withReason(reason), left);
            if (count > 0) {
                counts.put(reason, count);
                left -= count;
            }
        }
        return counts;
    }

    /**
     * Asks for another delivery of those that match and are not asked for yet, at most {@code limit}; attempts are counted from zero.
     * Letters with reason {@link DeadReason#UNREADABLE} are passed over until they can be read, because a limit was
     * raised, for example. Returns how many.
     */
    int requestRetry(DeadLetterFilter filter, int limit, String operator);

    /** The same for exactly these letters, as far as they are still there and match. */
    default int requestRetry(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return letters.stream()
                .mapToInt(letter -> requestRetry(filter.withId(letter.id()), 1, operator))
                .sum();
    }

    /**
     * Deletes those that match, at most {@code limit}, whether a retry was requested or not. Returns how many.
     */
    int discard(DeadLetterFilter filter, int limit, String operator);

    /** The same for exactly these letters, as far as they are still there and match. */
    default int discard(DeadLetterFilter filter, List<RowRef> letters, String operator) {
        return letters.stream()
                .mapToInt(letter -> discard(filter.withId(letter.id()), 1, operator))
                .sum();
    }

    /**
     * One message that was given up.
     *
     * @param message of one that is unreadable only what can be shown: without headers and payload, and with U+FFFD in place
     *     of what its texts may not contain
     * @param firstFailedAt empty if it was never tried
     * @param isReadable whether the message is whole; if not, {@link #raw} has its headers and payload
     */
    record DeadLetter(
            RowRef ref,
            OutboxMessage message,
            DeadReason reason,
            int attempts,
            String error,
            Instant createdAt,
            Optional<Instant> firstFailedAt,
            Instant diedAt,
            boolean retryRequested,
            boolean isReadable) {}

    /**
     * What is stored, byte for byte, whether or not it can be read as a message.
     *
     * @param headers empty if there are none; else JSON, or what a writer took for it
     */
    record RawContent(byte[] payload, Optional<byte[]> headers) {}
}
