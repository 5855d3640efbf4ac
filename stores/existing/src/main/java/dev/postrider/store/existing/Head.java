package dev.postrider.store.existing;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A row without what may be large.
 *
 * @param texts by what they are: see {@link Texts}
 * @param bytes how many the large columns have
 */
record Head(
        RowKey key,
        MessageId id,
        Optional<String> messageKey,
        int attempts,
        Instant createdAt,
        Instant databaseTime,
        Map<String, String> texts,
        long bytes) {

    /**
     * The id of a row for which this gives one. A text that can be no id, such as one of megabytes, makes this row unreadable and no
     * other: the problem is put to the texts, and the row has a stand-in.
     */
    static MessageId idOf(Supplier<MessageId> id, RowKey key, Map<String, String> texts) {
        try {
            return id.get();
        } catch (InvalidMessageException problem) {
            texts.put(Texts.ID_PROBLEM, String.valueOf(problem.getMessage()));
            return MessageId.fromUuid(UUID.nameUUIDFromBytes(key.text().getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** @throws InvalidMessageException if the row has no valid id */
    MessageId checkedId() {
        text(Texts.ID_PROBLEM).ifPresent(problem -> {
            throw new InvalidMessageException("id", "of the row is none: " + problem);
        });
        return id;
    }

    String topic() {
        return texts.getOrDefault(Texts.TOPIC, "");
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    /** What stands for a message that cannot be read: as much as can be shown without reading all of the row. */
    OutboxMessage standIn() {
        try {
            OutboxMessage.Builder readable =
                    OutboxMessage.builder(topic()).id(id).type(text(Texts.TYPE).orElse("unreadable"));
            messageKey.filter(key -> !key.isEmpty()).ifPresent(readable::key);
            return readable.build();
        } catch (RuntimeException unreadable) {
            return OutboxMessage.builder("unreadable").id(id).type("unreadable").build();
        }
    }

    /** The names of texts. */
    static final class Texts {
        static final String TOPIC = "topic";
        static final String TYPE = "type";
        static final String CONTENT_TYPE = "content_type";
        static final String AGGREGATE_TYPE = "aggregate_type";
        static final String ERROR = "error";
        static final String ID_PROBLEM = "id_problem";

        private Texts() {}
    }
}
