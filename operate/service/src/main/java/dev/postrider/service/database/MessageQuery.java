package dev.postrider.service.database;

import dev.postrider.message.MessageId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Which messages of one table are wanted.
 *
 * @param equal columns with the value that they must have: {@code topic}, {@code message_key}, {@code type}, {@code destination}, {@code
 *     reason}
 * @param error what the last error contains
 * @param before of dead and delivered messages only those from before that time
 * @param after where the page before ended
 */
public record MessageQuery(
        Place place,
        Map<String, String> equal,
        Optional<MessageId> id,
        Optional<String> error,
        Optional<Instant> before,
        Optional<String> after,
        int limit) {

    /** All messages of a table, from the start. */
    public static MessageQuery all(Place place, int limit) {
        return new MessageQuery(
                place, Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), limit);
    }

    /** Those of one key. */
    public static MessageQuery ofKey(Place place, String key, int limit) {
        return new MessageQuery(
                place,
                Map.of("message_key", key),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                limit);
    }

    /** Those with one id. */
    public static MessageQuery ofId(Place place, MessageId id) {
        return new MessageQuery(
                place, Map.of(), Optional.of(id), Optional.empty(), Optional.empty(), Optional.empty(), 1);
    }

    boolean isFiltered() {
        return !equal.isEmpty() || id.isPresent() || error.isPresent();
    }
}
