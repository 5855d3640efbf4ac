package dev.postrider.destination.rabbitmq;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import java.util.Optional;

/** What was published, as an event with the id that its producer chose, and as a message. */
record ArrivedEvent(CloudEventAttributes event, OutboxMessage message) {

    static ArrivedEvent of(
            CloudEventAttributes event,
            CloudEventAttributes stored,
            String exchange,
            Optional<String> key,
            byte[] payload) {
        OutboxMessage.Builder message = stored.toMessage(exchange).payload(payload);
        key.ifPresent(message::key);
        return new ArrivedEvent(event, message.build());
    }
}
