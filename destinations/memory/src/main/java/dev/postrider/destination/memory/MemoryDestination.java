package dev.postrider.destination.memory;

import dev.postrider.internal.Range;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Hands messages to handlers in the same process.
 *
 * <p>Every group of subscribers gets every message, and the members of a group compete for them. Each group has a bounded
 * buffer. A send ends when every group has taken the message, all at once: so a slow group slows the relay instead of filling
 * memory. A group exists from its first subscription until {@link #removeGroup}: while it has no members, because its only one
 * restarts, it misses nothing; messages gather in its buffer, and when that is full they wait. One that has waited for the delivery
 * time-out was taken by no group and ends as an outage: the relay tries it again, and no attempt is counted.
 *
 * <p>As long as nobody has subscribed, the destination counts as unreachable: nothing is dropped. What is in a buffer when the
 * process dies is lost; it is no durable broker. Thread-safe.
 *
 * <pre>{@code
 * MemoryDestination destination = MemoryDestination.named("memory");
 * destination.subscribe("billing", message -> charge(message));
 * }</pre>
 */
public final class MemoryDestination implements Destination {

    /** How many messages each group buffers unless told otherwise. */
    public static final int DEFAULT_CAPACITY = 20;

    private static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_IN_FLIGHT = 10_000;

    private final String name;
    private final Duration deliveryTimeout;
    private final SubscriberGroups groups;

    private MemoryDestination(String name, int capacity, Duration deliveryTimeout) {
        this.name = Objects.requireNonNull(name, "name");
        this.deliveryTimeout = deliveryTimeout;
        this.groups = new SubscriberGroups(name, capacity, deliveryTimeout);
    }

    /** A destination whose groups buffer {@value #DEFAULT_CAPACITY} messages each. */
    public static MemoryDestination named(String name) {
        return named(name, DEFAULT_CAPACITY);
    }

    /** A destination whose groups buffer this many messages each, 1 to 1,000,000. */
    public static MemoryDestination named(String name, int capacity) {
        return named(name, capacity, DEFAULT_DELIVERY_TIMEOUT);
    }

    /**
     * The same with a delivery time-out of its own.
     *
     * @param deliveryTimeout how long a message waits until every group has room, 10 ms to 30 minutes; default 1 second. At most
     *     the relay's own
     */
    public static MemoryDestination named(String name, int capacity, Duration deliveryTimeout) {
        return new MemoryDestination(
                name,
                Range.of("capacity", capacity, 1, 1_000_000),
                Range.of("deliveryTimeout", deliveryTimeout, Duration.ofMillis(10), Duration.ofMinutes(30)));
    }

    /**
     * Calls the handler for every message, one at a time, on a thread of its own. Members of the same group share the
     * messages between them. A handler that throws gets the same message again after a pause.
     */
    public Subscription subscribe(String group, Consumer<OutboxMessage> handler) {
        return open(group).add(handler);
    }

    /** Forgets a group that nobody will subscribe to again, with what is in its buffer; its members end. */
    public void removeGroup(String group) {
        groups.remove(group);
    }

    /**
     * A receiver that is a member of this group, with default options: the same as {@code receiver(group,
     * MemoryReceiverOptions.defaults())}.
     */
    public MemoryReceiver receiver(String group) {
        return receiver(group, MemoryReceiverOptions.defaults());
    }

    /** A receiver that joins this group when it is started. */
    public MemoryReceiver receiver(String group, MemoryReceiverOptions options) {
        return new MemoryReceiver(this, group, options);
    }

    SubscriberGroup open(String group) {
        return groups.open(group);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String system() {
        return "memory";
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return groups.offer(message, MAX_IN_FLIGHT);
    }

    /** How long a message waits until every group has room. */
    @Override
    public Duration deliveryTimeout() {
        return deliveryTimeout;
    }

    @Override
    public int maxInFlight() {
        return MAX_IN_FLIGHT;
    }

    /** Down while a group has no room, which a message would have to wait for. */
    @Override
    public Health healthCheck() {
        return groups.health();
    }

    /** Takes no more messages, and returns when the handlers have worked off what was taken, after ten seconds at most. */
    @Override
    public void close() {
        groups.close(System.nanoTime() + CLOSE_TIMEOUT.toNanos());
    }

    /**
     * A running subscription; closing it lets the handler finish its message and leaves the rest to other members, now or later.
     */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
