package dev.postrider.spring.boot;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext.Processing;
import dev.postrider.spi.TraceContext.Sending;
import dev.postrider.spi.internal.TraceAttributes;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;

/**
 * An attempt to send or to process a message, as it is observed. Its keys are those of the messaging conventions of OpenTelemetry. Only those
 * with few values are tags of its timer: ids, keys and topics are in the span alone.
 */
final class MessageObservation extends Observation.Context {

    private final OutboxMessage message;
    private final String operation;

    private MessageObservation(OutboxMessage message, String operation, String system) {
        this.message = message;
        this.operation = operation;
        addLowCardinalityKeyValues(KeyValues.of(
                TraceAttributes.SYSTEM, system,
                TraceAttributes.OPERATION_NAME, operation,
                TraceAttributes.OPERATION_TYPE, operation));
        tag(TraceAttributes.TOPIC, message.topic());
        tag(TraceAttributes.MESSAGE_ID, message.id().text());
        tag(TraceAttributes.BODY_SIZE, String.valueOf(message.payload().length));
        if (system.equals("kafka")) {
            message.key().ifPresent(key -> tag(TraceAttributes.KAFKA_KEY, key));
        }
    }

    static MessageObservation of(Sending sending) {
        MessageObservation observation = new MessageObservation(
                sending.message(), "send", sending.destination().system());
        observation.addLowCardinalityKeyValues(KeyValues.of(
                TraceAttributes.OUTBOX,
                sending.outbox(),
                TraceAttributes.DESTINATION,
                sending.destination().name()));
        observation.tag(TraceAttributes.LANE, String.valueOf(sending.lane()));
        observation.tag(TraceAttributes.ATTEMPT, String.valueOf(sending.attempt()));
        observation.tag(
                TraceAttributes.WAITED_SECONDS, String.valueOf(sending.waited().toNanos() / 1e9));
        return observation;
    }

    static MessageObservation of(Processing processing) {
        MessageObservation observation = new MessageObservation(processing.message(), "process", processing.system());
        observation.addLowCardinalityKeyValues(KeyValues.of(TraceAttributes.SUBSCRIBER, processing.subscriber()));
        observation.tag(TraceAttributes.ATTEMPT, String.valueOf(processing.attempt()));
        return observation;
    }

    private void tag(String name, String value) {
        addHighCardinalityKeyValues(KeyValues.of(name, value));
    }

    /** The name of the observation, and so of its timer; {@code postrider.send} is the relay's own. */
    String observed() {
        return "postrider.message." + operation;
    }

    /** The name of its span. */
    String spanned() {
        return operation + " " + message.topic();
    }

    Headers headers() {
        return message.headers();
    }

    boolean isSend() {
        return operation.equals("send");
    }
}
