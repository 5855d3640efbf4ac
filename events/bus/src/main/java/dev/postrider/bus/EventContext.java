package dev.postrider.bus;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What a handler knows of an event beside its data. Immutable and thread-safe. */
public final class EventContext {

    private final Delivery delivery;
    private final CloudEventAttributes attributes;
    private final Subscribing subscriber;
    private final BooleanSupplier isClosing;

    EventContext(
            Delivery delivery, CloudEventAttributes attributes, Subscribing subscriber, BooleanSupplier isClosing) {
        this.delivery = delivery;
        this.attributes = attributes;
        this.subscriber = subscriber;
        this.isClosing = isClosing;
    }

    /** Id, source, type, subject, time, extensions. */
    public CloudEventAttributes attributes() {
        return attributes;
    }

    /** The message as it arrived; what the inbox and {@link OutboxMessage.Builder#causedBy} ask for. */
    public OutboxMessage message() {
        return delivery.message();
    }

    public Optional<String> key() {
        return delivery.message().key();
    }

    /** Counts from 1, as well as the broker can tell. */
    public int attempt() {
        return delivery.attempt();
    }

    /** The name of the subscriber, under which the inbox remembers what it has handled. */
    public String subscriber() {
        return subscriber.name();
    }

    /** The kind of broker that it came from, see {@link dev.postrider.spi.Receiver#system}. */
    public String system() {
        return subscriber.system();
    }

    /** Whether the subscriber waits for this handler to end: one that takes long may give up, and gets the event again. */
    public boolean isClosing() {
        return isClosing.getAsBoolean();
    }

    /** Who handles events, and where from. */
    record Subscribing(String name, String system) {}
}
