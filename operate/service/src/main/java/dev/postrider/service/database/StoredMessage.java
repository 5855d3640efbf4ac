package dev.postrider.service.database;

import dev.postrider.message.MessageId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message where it lies, without headers and payload.
 *
 * @param seq 0 for a delayed one, which gets its number when it is due
 * @param state what its table knows beyond the message, by column: texts, numbers, flags and times; what is NULL is left out
 */
public record StoredMessage(
        Place place,
        MessageId id,
        int lane,
        long seq,
        String topic,
        Optional<String> key,
        String type,
        String contentType,
        Instant createdAt,
        Map<String, Object> state) {

    /** A text of the state. */
    public Optional<String> text(String column) {
        return Optional.ofNullable(state.get(column)).map(Object::toString);
    }

    /** A time of the state. */
    public Optional<Instant> time(String column) {
        return Optional.ofNullable(state.get(column)).map(Instant.class::cast);
    }

    /** Whether a flag of the state is set. */
    public boolean is(String flag) {
        return Boolean.TRUE.equals(state.get(flag));
    }
}
