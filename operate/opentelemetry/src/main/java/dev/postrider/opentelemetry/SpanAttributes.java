package dev.postrider.opentelemetry;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.internal.TraceAttributes;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;

/** The attributes of spans: {@link TraceAttributes} with their types. */
final class SpanAttributes {

    static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0";

    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey(TraceAttributes.ERROR_TYPE);

    static final AttributeKey<String> OUTBOX = AttributeKey.stringKey(TraceAttributes.OUTBOX);
    static final AttributeKey<String> DESTINATION = AttributeKey.stringKey(TraceAttributes.DESTINATION);
    static final AttributeKey<String> SUBSCRIBER = AttributeKey.stringKey(TraceAttributes.SUBSCRIBER);
    static final AttributeKey<Long> LANE = AttributeKey.longKey(TraceAttributes.LANE);
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey(TraceAttributes.ATTEMPT);
    static final AttributeKey<Double> WAITED_SECONDS = AttributeKey.doubleKey(TraceAttributes.WAITED_SECONDS);

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey(TraceAttributes.SYSTEM);
    private static final AttributeKey<String> TOPIC = AttributeKey.stringKey(TraceAttributes.TOPIC);
    private static final AttributeKey<String> OPERATION_NAME = AttributeKey.stringKey(TraceAttributes.OPERATION_NAME);
    private static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey(TraceAttributes.OPERATION_TYPE);
    private static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey(TraceAttributes.MESSAGE_ID);
    private static final AttributeKey<Long> BODY_SIZE = AttributeKey.longKey(TraceAttributes.BODY_SIZE);
    private static final AttributeKey<String> KAFKA_KEY = AttributeKey.stringKey(TraceAttributes.KAFKA_KEY);

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
