package dev.postrider.spi;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;

/**
 * One message on its way to a handler, to be settled exactly once: acknowledged, retried or parked.
 *
 * <p>Settling is possible from any thread and does not wait for the broker. If the broker cannot be told, the message arrives
 * again: that is why every consumer must bear a duplicate. A second settlement is ignored. Thread-safe.
 */
public interface Delivery {

    /** The source of an event whose producer gave none. */
    String UNKNOWN_SOURCE = "/unknown";

    OutboxMessage message();

    /**
     * The same message as a CloudEvent.
     *
     * @throws dev.postrider.message.InvalidMessageException if the message makes no valid event
     */
    default CloudEventAttributes event() {
        return CloudEventAttributes.of(message(), UNKNOWN_SOURCE);
    }

    /** Counts from 1, as well as the broker can tell. */
    int attempt();

    /** It was handled: the broker may forget it. */
    void acknowledge();

    /**
     * It failed and may succeed later: it arrives again after the receiver's pause with a higher {@link #attempt}, or is parked when
     * the receiver's attempts are used up.
     *
     * @param reason one sentence for a person, without payload or secret
     */
    void retryLater(String reason);

    /**
     * It can never be handled: it goes to the place for such messages, and leaves the queue only when it is safe there.
     *
     * @param reason one sentence for a person, without payload or secret
     */
    void park(String reason);
}
