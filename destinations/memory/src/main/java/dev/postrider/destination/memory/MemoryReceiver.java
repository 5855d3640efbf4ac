package dev.postrider.destination.memory;

import static java.util.Objects.requireNonNull;

import dev.postrider.destination.memory.MemoryDestination.Subscription;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.internal.DeliveryQueue;
import dev.postrider.spi.internal.Received;
import dev.postrider.spi.internal.ReceivedEvent;
import dev.postrider.spi.internal.Settlement;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives what a {@link MemoryDestination} was sent, as a member of one of its groups.
 *
 * <p>A retried message holds back its key, in this receiver; members of one group share keys between them. Parked messages are kept in
 * memory, the newest {@value ParkingLot#CAPACITY} of them. What is unsettled when the receiver closes goes back to the head of the
 * group's buffer. Thread-safe.
 *
 * <p>Threads: the group's member thread takes messages, none while {@code prefetch} are unsettled; a timer brings back retried ones;
 * settling threads hand over the next message of a key.
 */
public final class MemoryReceiver implements Receiver {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryReceiver.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final MemoryDestination destination;
    private final String group;
    private final MemoryReceiverOptions options;
    private final DeliveryQueue<OutboxMessage> queue;
    private final ParkingLot parkingLot = new ParkingLot();
    private final CompletableFuture<Void> termination = new CompletableFuture<>();
    private final CountDownLatch memberEnd = new CountDownLatch(1);

    private volatile @Nullable SubscriberGroup members;
    private @Nullable Subscription membership;
    private Set<String> types = Set.of();

    MemoryReceiver(MemoryDestination destination, String group, MemoryReceiverOptions options) {
        this.destination = destination;
        this.group = Objects.requireNonNull(group, "group");
        this.options = options;
        this.queue = new DeliveryQueue<>(
                name(),
                options.prefetch(),
                new Settling(),
                options.listener(),
                new Timer("postrider-memory-" + group + "-retry"));
    }

    @Override
    public String name() {
        return destination.name() + "/" + group;
    }

    @Override
    public String system() {
        return "memory";
    }

    @Override
    public int prefetch() {
        return options.prefetch();
    }

    @Override
    public Ordering ordering() {
        return Ordering.PER_KEY;
    }

    /** Messages of other types than those of the subscription are passed over, as a broker would not have routed them here. */
    @Override
    public synchronized void start(dev.postrider.spi.Subscription subscription, Consumer<Delivery> deliveries) {
        if (members != null) {
            throw new IllegalStateException("Receiver " + name() + " was started before; make a new one");
        }
        types = subscription.types();
        queue.start(Objects.requireNonNull(deliveries, "deliveries"));
        SubscriberGroup joined = destination.open(group);
        members = joined;
        membership = joined.add(this::take, queue::hasRoom, this::memberEnded);
    }

    private void take(OutboxMessage message) {
        boolean isWanted = types.isEmpty() || types.contains(message.type());
        if (isWanted && !queue.add(message, new ReceivedEvent(message), 0)) {
            requireNonNull(members).giveBack(List.of(message));
        }
    }

    /** What was parked so far, oldest first. */
    public List<ParkedMessage> parked() {
        return parkingLot.contents();
    }

    @Override
    public synchronized void stop() {
        queue.stop();
        if (membership != null) {
            membership.close();
        }
    }

    @Override
    public synchronized void close() {
        stop();
        SubscriberGroup joined = members;
        if (joined != null) {
            awaitMemberEnd();
            joined.giveBack(queue.takeAll());
        }
        queue.close();
        termination.complete(null);
    }

    /** What the member took last goes back first, so that older messages come before it. */
    private void awaitMemberEnd() {
        try {
            if (!memberEnd.await(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("Receiver {} has not ended in time; messages may come out of order", name());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The destination was closed, or this receiver stopped; in both cases somebody wanted it. */
    private void memberEnded() {
        memberEnd.countDown();
        endWhenEmpty();
    }

    private void endWhenEmpty() {
        if (memberEnd.getCount() == 0 && !queue.isStopped() && queue.unsettled().isEmpty()) {
            termination.complete(null);
        }
    }

    @Override
    public CompletionStage<Void> termination() {
        return termination.minimalCompletionStage();
    }

    @Override
    public Health healthCheck() {
        return termination.isDone() ? Health.down("Receiver " + name() + " has ended") : Health.UP;
    }

    private final class Settling implements Settlement<OutboxMessage> {

        @Override
        public int maxAttempts() {
            return options.maxAttempts();
        }

        @Override
        public void acknowledge(Received<OutboxMessage> received) {}

        @Override
        public Optional<Duration> retry(Received<OutboxMessage> received, String reason, Runnable done) {
            return Optional.of(options.retryPause());
        }

        @Override
        public void park(Received<OutboxMessage> received, String reason, Runnable done) {
            parkingLot.add(new ParkedMessage(received.message(), reason, received.attempts()));
            done.run();
        }

        @Override
        public void roomMade() {
            requireNonNull(members).wake();
            endWhenEmpty();
        }
    }

    /** The newest parked messages. */
    private static final class ParkingLot {

        static final int CAPACITY = 10_000;

        private final ArrayDeque<ParkedMessage> parked = new ArrayDeque<>();

        synchronized void add(ParkedMessage message) {
            if (parked.size() == CAPACITY) {
                parked.removeFirst();
            }
            parked.addLast(message);
        }

        synchronized List<ParkedMessage> contents() {
            return List.copyOf(parked);
        }
    }
}
