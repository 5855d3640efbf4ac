package dev.postrider.message;

import dev.postrider.internal.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One message: what a service writes into the outbox and what a destination receives.
 *
 * <p>Immutable and thread-safe. The payload array is not copied, neither in nor out: whoever holds it must not change it.
 *
 * <pre>{@code
 * OutboxMessage message = OutboxMessage.builder("orders")
 *         .key(orderId)
 *         .type("com.example.OrderPlaced")
 *         .json("{\"total\": 42}")
 *         .build();
 * }</pre>
 */
public final class OutboxMessage {

    /** The content type of a message that names none. */
    public static final String DEFAULT_CONTENT_TYPE = "application/octet-stream";

    private final MessageId id;
    private final String topic;
    private final @Nullable String key;
    private final String type;
    private final Headers headers;
    private final String contentType;
    private final byte[] payload;
    private final Due due;
    private final @Nullable String dedupKey;

    private OutboxMessage(Builder builder, String type) {
        this.id =
                builder.id != null ? builder.id : Builder.notNull(builder.idGenerator.next(), "id from the generator");
        this.topic = builder.topic;
        this.key = builder.key;
        this.type = type;
        this.headers = builder.headers;
        this.contentType = builder.contentType;
        this.payload = builder.payload;
        this.due = builder.due;
        this.dedupKey = builder.dedupKey;
    }

    /** A message for this topic: a Kafka topic, an AMQP exchange or a NATS subject. */
    public static Builder builder(String topic) {
        return new Builder(topic, MessageIdGenerator.uuidV7());
    }

    /** The same, with ids from this generator for messages that are not given one. */
    public static Builder builder(String topic, MessageIdGenerator idGenerator) {
        return new Builder(topic, idGenerator);
    }

    public MessageId id() {
        return id;
    }

    public String topic() {
        return topic;
    }

    /** The entity that the message belongs to. Messages of one key are delivered in order; without a key there is no order. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** What happened, such as {@code com.example.OrderPlaced}. */
    public String type() {
        return type;
    }

    public Headers headers() {
        return headers;
    }

    public String contentType() {
        return contentType;
    }

    /** The payload itself, not a copy. */
    public byte[] payload() {
        return payload;
    }

    /** When it may be delivered; always {@link Due#NOW} on a message that was read from the outbox. */
    public Due due() {
        return due;
    }

    /** What makes a second enqueue of the same thing a no-op; always empty on a message that was read from the outbox. */
    public Optional<String> dedupKey() {
        return Optional.ofNullable(dedupKey);
    }

    /** A copy with this id. */
    public OutboxMessage withId(MessageId other) {
        return new Builder(this).id(other).build();
    }

    /** A copy with these headers. */
    public OutboxMessage withHeaders(Headers changed) {
        return new Builder(this).headers(changed).build();
    }

    /** Id, topic and type: enough to find it, nothing confidential. */
    @Override
    public String toString() {
        return "OutboxMessage[id=" + id + ", topic=" + topic + ", type=" + type + ", payload=" + payload.length
                + " bytes]";
    }

    /** Collects the fields of a message; each setter refuses null, and {@link #build()} checks the rest. */
    public static final class Builder {

        private static final byte[] NO_PAYLOAD = {};

        private final String topic;
        private final MessageIdGenerator idGenerator;
        private @Nullable MessageId id;
        private @Nullable String key;
        private @Nullable String type;
        private Headers headers = Headers.none();
        private String contentType = DEFAULT_CONTENT_TYPE;
        private byte[] payload = NO_PAYLOAD;
        private Due due = Due.NOW;
        private @Nullable String dedupKey;
        private boolean checkJson = true;

        private Builder(String topic, MessageIdGenerator idGenerator) {
            this.topic = TextField.TOPIC.checked(topic);
            this.idGenerator = notNull(idGenerator, "idGenerator");
        }

        /** A copy; what was checked once is not checked again. */
        private Builder(OutboxMessage original) {
            this.topic = original.topic;
            this.idGenerator = () -> original.id;
            this.id = original.id;
            this.key = original.key;
            this.type = original.type;
            this.headers = original.headers;
            this.contentType = original.contentType;
            this.payload = original.payload;
            this.due = original.due;
            this.dedupKey = original.dedupKey;
        }

        /** The id; by default a new UUIDv7. For one that is no UUID see {@link MessageId#of}. */
        public Builder id(MessageId id) {
            this.id = notNull(id, "id");
            return this;
        }

        /** The entity that the message belongs to; by default none, and then no order is kept. */
        public Builder key(String key) {
            this.key = TextField.KEY.checked(key);
            return this;
        }

        /** What happened. Required. */
        public Builder type(String type) {
            this.type = TextField.TYPE.checked(type);
            return this;
        }

        public Builder header(String name, String value) {
            this.headers = headers.with(name, value);
            return this;
        }

        /** Replaces all headers given so far. */
        public Builder headers(Headers headers) {
            this.headers = notNull(headers, "headers");
            return this;
        }

        /** Replaces all headers given so far. */
        public Builder headers(Map<String, String> headers) {
            return headers(Headers.of(notNull(headers, "headers")));
        }

        public Builder correlationId(String correlationId) {
            return header(Headers.CORRELATION_ID, correlationId);
        }

        public Builder causationId(String causationId) {
            return header(Headers.CAUSATION_ID, causationId);
        }

        /**
         * Marks this message as an effect of another: its causation id is the cause's id, its correlation id the cause's
         * own, or the cause's id where that has none.
         */
        public Builder causedBy(OutboxMessage cause) {
            String causeId = notNull(cause, "cause").id().text();
            return causationId(causeId)
                    .correlationId(cause.headers().correlationId().orElse(causeId));
        }

        public Builder contentType(String contentType) {
            this.contentType = TextField.CONTENT_TYPE.checked(contentType);
            return this;
        }

        /** The payload, not copied; by default empty. */
        public Builder payload(byte[] payload) {
            this.payload = notNull(payload, "payload");
            return this;
        }

        /**
         * A UTF-8 payload with content type {@code application/json}. A text that is not JSON is refused, unless
         * {@link #checkJson} says otherwise; an empty one stands for no payload.
         */
        public Builder json(String json) {
            int half = Surrogates.firstHalfPair(notNull(json, "payload"));
            if (half >= 0) {
                throw new InvalidMessageException("payload", "has half a surrogate pair at position " + half);
            }
            requireJson(json);
            return contentType("application/json").payload(json.getBytes(StandardCharsets.UTF_8));
        }

        private void requireJson(String json) {
            int wrong = checkJson && !json.isEmpty() ? JsonText.firstError(json) : -1;
            if (wrong >= 0) {
                throw new InvalidMessageException(
                        "payload",
                        "is not JSON: it goes wrong at character %d of %d. Correct it, or give it as payload(bytes)"
                                        .formatted(wrong + 1, json.length())
                                + " with its own content type; checkJson(false) switches this check off");
            }
        }

        /**
         * Whether {@link #json} refuses a text that is not JSON; call it before. Default: true, which costs about three microseconds
         * for each kilobyte. A consumer that cannot read a message is found here, and not by a poison message.
         */
        public Builder checkJson(boolean value) {
            this.checkJson = value;
            return this;
        }

        /** Not before this instant, by the database's clock. */
        public Builder deliverAt(Instant instant) {
            this.due = Due.at(notNull(instant, "deliverAt"));
            return this;
        }

        /** Not before this much time has passed since the insert, by the database's clock. */
        public Builder deliverAfter(Duration delay) {
            this.due = Due.after(notNull(delay, "deliverAfter"));
            return this;
        }

        /** Makes a second enqueue with the same dedup key a no-op for as long as dedup keys are kept. */
        public Builder dedupKey(String dedupKey) {
            this.dedupKey = TextField.DEDUP_KEY.checked(dedupKey);
            return this;
        }

        public OutboxMessage build() {
            if (type == null) {
                throw new InvalidMessageException("type", "is missing; every message says what happened");
            }
            return new OutboxMessage(this, type);
        }

        private static <T> T notNull(T value, String field) {
            if (value == null) {
                throw new InvalidMessageException(field, "is null");
            }
            return value;
        }
    }
}
