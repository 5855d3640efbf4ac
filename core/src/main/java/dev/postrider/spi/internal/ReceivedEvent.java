package dev.postrider.spi.internal;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import java.util.Optional;

/**
 * What a broker brought.
 *
 * @param event with the id that its producer chose; empty if the message says it all
 */
public record ReceivedEvent(OutboxMessage message, Optional<CloudEventAttributes> event) {

    public ReceivedEvent(OutboxMessage message, CloudEventAttributes event) {
        this(message, Optional.of(event));
    }

    public ReceivedEvent(OutboxMessage message) {
        this(message, Optional.empty());
    }

    /** The value of this attribute, {@code subject} or an extension; that of the key without one, or of an event that lacks it. */
    public Optional<String> keyBy(Optional<String> attribute) {
        return attribute
                .flatMap(name -> event.map(attributes -> attributes.asMap().get(name)))
                .or(message::key);
    }

    /** The event as it is stored in a message of this topic. */
    public static ReceivedEvent of(CloudEventAttributes event, String topic, Optional<String> key, byte[] payload) {
        OutboxMessage.Builder message = event.toMessage(topic).payload(payload);
        key.ifPresent(message::key);
        return new ReceivedEvent(message.build(), event);
    }
}
