package dev.postrider.store.existing;

import dev.postrider.message.MessageId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

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

    String topic() {
        return texts.getOrDefault(Texts.TOPIC, "");
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    /** The names of texts. */
    static final class Texts {
        static final String TOPIC = "topic";
        static final String TYPE = "type";
        static final String CONTENT_TYPE = "content_type";
        static final String AGGREGATE_TYPE = "aggregate_type";
        static final String ERROR = "error";

        private Texts() {}
    }
}
