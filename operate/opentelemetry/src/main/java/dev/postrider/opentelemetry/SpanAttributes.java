package dev.postrider.opentelemetry;

import dev.postrider.message.OutboxMessage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;

/**
 * The names of attributes: those of the messaging conventions 1.44, which are still in development and so are written down here, and our own.
 */
final class SpanAttributes {

    static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0";

    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    static final AttributeKey<String> OUTBOX = AttributeKey.stringKey("postrider.outbox");
    static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("postrider.destination");
    static final AttributeKey<String> SUBSCRIBER = AttributeKey.stringKey("postrider.subscriber");
    static final AttributeKey<Long> LANE = AttributeKey.longKey("postrider.lane");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("postrider.attempt");

    /** The event of a span that says how long the message has waited in the outbox. */
    static final String WAITED = "postrider.outbox.waited";

    static final AttributeKey<Double> WAITED_SECONDS = AttributeKey.doubleKey("postrider.outbox.waited.seconds");

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> TOPIC = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> OPERATION_NAME = AttributeKey.stringKey("messaging.operation.name");
    private static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    private static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey("messaging.message.id");
    private static final AttributeKey<Long> BODY_SIZE = AttributeKey.longKey("messaging.message.body.size");
    private static final AttributeKey<String> KAFKA_KEY = AttributeKey.stringKey("messaging.kafka.message.key");

    private SpanAttributes() {}

    /**
     * What all spans of a message have.
     *
     * @param operation create, send or process: the name and the type of the operation are the same
     */
    static void of(SpanBuilder span, String operation, String system, OutboxMessage message) {
        span.setAttribute(SYSTEM, system)
                .setAttribute(TOPIC, message.topic())
                .setAttribute(OPERATION_NAME, operation)
                .setAttribute(OPERATION_TYPE, operation)
                .setAttribute(MESSAGE_ID, message.id().text())
                .setAttribute(BODY_SIZE, (long) message.payload().length);
        if (system.equals("kafka")) {
            message.key().ifPresent(key -> span.setAttribute(KAFKA_KEY, key));
        }
    }
}
