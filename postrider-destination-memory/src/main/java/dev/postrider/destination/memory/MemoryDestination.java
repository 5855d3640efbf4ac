package dev.postrider.destination.memory;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Hands messages to handlers in the same process.
 *
 * <p>Every group of subscribers gets every message, and the members of a group compete for them. Each group has a bounded
 * buffer; a send ends when every group has taken the message, so a slow group slows the relay instead of filling memory. As
 * long as nobody has subscribed, the destination counts as unreachable: nothing is dropped. What is in a buffer when the
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

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final String name;
    private final int capacity;
    private final Map<String, SubscriberGroup> groups = new LinkedHashMap<>();
    private boolean isClosed;

    private MemoryDestination(String name, int capacity) {
        this.name = Objects.requireNonNull(name, "name");
        this.capacity = capacity;
    }

    /** A destination whose groups buffer {@value #DEFAULT_CAPACITY} messages each. */
    public static MemoryDestination named(String name) {
        return named(name, DEFAULT_CAPACITY);
    }

    /** A destination whose groups buffer this many messages each, 1 to 1,000,000. */
    public static MemoryDestination named(String name, int capacity) {
        if (capacity < 1 || capacity > 1_000_000) {
            throw new IllegalArgumentException("capacity is " + capacity + ", expected 1 to 1000000");
        }
        return new MemoryDestination(name, capacity);
    }

    /**
     * Calls the handler for every message, one at a time, on a thread of its own. Members of the same group share the
     * messages between them. A handler that throws gets the same message again after a pause.
     */
    public synchronized Subscription subscribe(String group, Consumer<OutboxMessage> handler) {
        return open(group).add(handler);
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

    synchronized SubscriberGroup open(String group) {
        if (isClosed) {
            throw new IllegalStateException("Destination " + name + " is closed");
        }
        return groups.computeIfAbsent(group, groupName -> new SubscriberGroup(groupName, capacity));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        List<CompletableFuture<Boolean>> taken = new ArrayList<>();
        synchronized (this) {
            if (isClosed) {
                return ended(DeliveryResult.outage("Destination " + name + " is closed"));
            }
            groups.values().stream()
                    .filter(SubscriberGroup::hasMembers)
                    .forEach(group -> taken.add(group.offer(message)));
        }
        if (taken.isEmpty()) {
            return ended(DeliveryResult.outage("Nobody has subscribed to " + name));
        }
        return CompletableFuture.allOf(taken.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> resultOf(taken));
    }

    private DeliveryResult resultOf(List<CompletableFuture<Boolean>> taken) {
        return taken.stream().allMatch(CompletableFuture::join)
                ? DeliveryResult.DELIVERED
                : DeliveryResult.outage(
                        "Destination " + name + " was closed, or a group left, before every group took the message");
    }

    private static CompletableFuture<DeliveryResult> ended(DeliveryResult result) {
        return CompletableFuture.completedFuture(result);
    }

    /** Nominal: a send ends when the slowest group has room. */
    @Override
    public Duration deliveryTimeout() {
        return Duration.ofMillis(100);
    }

    @Override
    public synchronized Health healthCheck() {
        if (isClosed) {
            return Health.down(name + " is closed");
        }
        boolean hasMembers = groups.values().stream().anyMatch(SubscriberGroup::hasMembers);
        return hasMembers ? Health.UP : Health.down(name + " has no subscribers");
    }

    /** Takes no more messages, and returns when the handlers have worked off what was taken, after ten seconds at most. */
    @Override
    public void close() {
        List<SubscriberGroup> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(groups.values());
        }
        long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        all.forEach(group -> group.close(deadline));
    }

    /** A running subscription; closing it lets the handler finish its message and leaves the rest to other members. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
