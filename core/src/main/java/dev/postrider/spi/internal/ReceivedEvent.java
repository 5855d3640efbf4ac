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
}
