package dev.postrider.spring.boot;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext.Processing;
import dev.postrider.spi.TraceContext.Sending;
import dev.postrider.spi.internal.TraceAttributes;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.Locale;

/**
 * An attempt to send or to process a message, as it is observed. Its keys are those of the messaging conventions of OpenTelemetry. Only those
 * with few values are tags of its timer: ids, keys and topics are in the span alone.
 */
final class MessageObservation extends Observation.Context {

    /** Which span is made of it. */
    enum Step {
        /** By a relay, perhaps long after the message was written. */
        SEND("send"),
        /** Straight to a destination, by whoever makes the message. */
        PUBLISH("send"),
        PROCESS("process");

        private final String operation;

        Step(String operation) {
            this.operation = operation;
        }
    }

    private final OutboxMessage message;
    private final Step step;

    private MessageObservation(OutboxMessage message, Step step, String system) {
        this.message = message;
        this.step = step;
        addLowCardinalityKeyValues(KeyValues.of(
                TraceAttributes.SYSTEM, system,
                TraceAttributes.OPERATION_NAME, step.operation,
                TraceAttributes.OPERATION_TYPE, step.operation));
        tag(TraceAttributes.TOPIC, message.topic());
        tag(TraceAttributes.MESSAGE_ID, message.id().text());
        tag(TraceAttributes.BODY_SIZE, String.valueOf(message.payload().length));
        if (system.equals("kafka")) {
            message.key().ifPresent(key -> tag(TraceAttributes.KAFKA_KEY, key));
        }
    }

    static MessageObservation of(Sending sending) {
        MessageObservation observation = new MessageObservation(
                sending.message(), Step.SEND, sending.destination().system());
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

    static MessageObservation of(Destination destination, OutboxMessage message) {
        MessageObservation observation = new MessageObservation(message, Step.PUBLISH, destination.system());
        observation.addLowCardinalityKeyValues(KeyValues.of(TraceAttributes.DESTINATION, destination.name()));
        return observation;
    }

    static MessageObservation of(Processing processing) {
        MessageObservation observation =
                new MessageObservation(processing.message(), Step.PROCESS, processing.system());
        observation.addLowCardinalityKeyValues(KeyValues.of(TraceAttributes.SUBSCRIBER, processing.subscriber()));
        observation.tag(TraceAttributes.ATTEMPT, String.valueOf(processing.attempt()));
        return observation;
    }

    private void tag(String name, String value) {
        addHighCardinalityKeyValues(KeyValues.of(name, value));
    }

    /** The name of the observation, and so of its timer; {@code postrider.send} is the relay's own. */
    String observed() {
        return "postrider.message." + step.name().toLowerCase(Locale.ROOT);
    }

    /** The name of its span. */
    String spanned() {
        return step.operation + " " + message.topic();
    }

    Headers headers() {
        return message.headers();
    }

    Step step() {
        return step;
    }
}
