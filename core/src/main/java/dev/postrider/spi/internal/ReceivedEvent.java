package dev.postrider.spi.internal;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Subscription;
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

    /**
     * What it has an order by: the value of this attribute, {@code subject} or an extension; without one, or if it lacks it, its key, and without that the
     * default of its type.
     */
    public Optional<String> keyBy(Optional<String> attribute, Subscription subscription) {
        return attribute
                .flatMap(name -> event.map(attributes -> attributes.asMap().get(name)))
                .or(message::key)
                .or(() -> subscription.defaultKeyOf(message.type()));
    }

    /** The event as it is stored in a message of this topic. */
    public static ReceivedEvent of(CloudEventAttributes event, String topic, Optional<String> key, byte[] payload) {
        OutboxMessage.Builder message = event.toMessage(topic).payload(payload);
        key.ifPresent(message::key);
        return new ReceivedEvent(message.build(), event);
    }
}
