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
 * @param route only messages whose topic leads to one destination
 * @param before only messages that were given up or delivered before that time, or committed where that is still to come
 * @param after where the page before ended
 */
public record MessageQuery(
        Place place,
        Map<String, String> equal,
        Optional<MessageId> id,
        Optional<String> error,
        Optional<Route> route,
        Optional<Instant> before,
        Optional<String> after,
        int limit) {

    /**
     * Where topics lead.
     *
     * @param patterns topics in which {@code *} stands for any letters, with their destinations; the first that matches decides
     */
    public record Route(Map<String, String> patterns, String destination) {}

    /** Those of one key. */
    public static MessageQuery ofKey(Place place, String key, int limit) {
        return of(place, Map.of("message_key", key), Optional.empty(), limit);
    }

    /** Those with one id. */
    public static MessageQuery ofId(Place place, MessageId id) {
        return of(place, Map.of(), Optional.of(id), 1);
    }

    /** The same behind a page that ended there. */
    public MessageQuery withAfter(Optional<String> position) {
        return new MessageQuery(place, equal, id, error, route, before, position, limit);
    }

    private static MessageQuery of(Place place, Map<String, String> equal, Optional<MessageId> id, int limit) {
        return new MessageQuery(
                place, equal, id, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), limit);
    }
}
