package dev.postrider.spring.boot;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext.Processing;
import dev.postrider.spi.TraceContext.Sending;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;

/** An attempt to send or to process a message, as it is observed. The names are those of the messaging conventions of OpenTelemetry. */
final class MessageObservation extends Observation.Context {

    private final OutboxMessage message;
    private final String operation;

    private MessageObservation(OutboxMessage message, String operation, String system) {
        this.message = message;
        this.operation = operation;
        addLowCardinalityKeyValues(KeyValues.of(
                "messaging.system", system,
                "messaging.destination.name", message.topic(),
                "messaging.operation.name", operation,
                "messaging.operation.type", operation));
        addHighCardinalityKeyValues(KeyValues.of(
                "messaging.message.id",
                message.id().text(),
                "messaging.message.body.size",
                String.valueOf(message.payload().length)));
        if (system.equals("kafka")) {
            message.key().ifPresent(key -> tag("messaging.kafka.message.key", key));
        }
    }

    static MessageObservation of(Sending sending) {
        MessageObservation observation = new MessageObservation(
                sending.message(), "send", sending.destination().system());
        observation.addLowCardinalityKeyValues(KeyValues.of(
                "postrider.outbox",
                sending.outbox(),
                "postrider.destination",
                sending.destination().name()));
        observation.tag("postrider.lane", String.valueOf(sending.lane()));
        observation.tag("postrider.attempt", String.valueOf(sending.attempt()));
        observation.tag(
                "postrider.outbox.waited.seconds",
                String.valueOf(sending.waited().toNanos() / 1e9));
        return observation;
    }

    static MessageObservation of(Processing processing) {
        MessageObservation observation = new MessageObservation(processing.message(), "process", processing.system());
        observation.addLowCardinalityKeyValues(KeyValues.of("postrider.subscriber", processing.subscriber()));
        observation.tag("postrider.attempt", String.valueOf(processing.attempt()));
        return observation;
    }

    private void tag(String name, String value) {
        addHighCardinalityKeyValues(KeyValues.of(name, value));
    }

    /** Of the observation, and so of its meter. */
    String observed() {
        return "postrider." + operation;
    }

    /** Of its span. */
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
