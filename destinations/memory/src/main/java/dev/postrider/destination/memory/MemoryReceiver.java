package dev.postrider.destination.memory;

import dev.postrider.destination.memory.MemoryDestination.Subscription;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverReports;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
 * settling threads hand over the next message of a key. All state is in {@link UnsettledMessages}; nothing is handed over under its
 * lock.
 */
public final class MemoryReceiver implements Receiver {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryReceiver.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final MemoryDestination destination;
    private final String group;
    private final MemoryReceiverOptions options;
    private final UnsettledMessages unsettled;
    private final ReceiverReports reports;
    private final ParkingLot parkingLot = new ParkingLot();
    private final ScheduledThreadPoolExecutor timer;
    private final CompletableFuture<Void> termination = new CompletableFuture<>();
    private final CountDownLatch memberEnd = new CountDownLatch(1);

    private SubscriberGroup members;
    private Subscription membership;
    private dev.postrider.spi.Subscription subscription;
    private volatile Consumer<Delivery> deliveries;

    MemoryReceiver(MemoryDestination destination, String group, MemoryReceiverOptions options) {
        this.destination = destination;
        this.group = Objects.requireNonNull(group, "group");
        this.options = options;
        this.reports = new ReceiverReports(name(), options.listener());
        this.unsettled = new UnsettledMessages(options.prefetch());
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "postrider-memory-" + group + "-retry");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public String name() {
        return destination.name() + "/" + group;
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
    public synchronized void start(dev.postrider.spi.Subscription wanted, Consumer<Delivery> handler) {
        if (deliveries != null) {
            throw new IllegalStateException("Receiver " + name() + " was started before; make a new one");
        }
        subscription = Objects.requireNonNull(wanted, "subscription");
        deliveries = Objects.requireNonNull(handler, "deliveries");
        members = destination.open(group);
        membership = members.add(this::take, unsettled::hasRoom, this::memberEnded);
    }

    private void take(OutboxMessage message) {
        if (!subscription.types().isEmpty() && !subscription.types().contains(message.type())) {
            return;
        }
        MemoryDelivery delivery = new MemoryDelivery(this, message, 1);
        switch (unsettled.add(delivery)) {
            case FIRST_OF_ITS_KEY -> handOver(delivery);
            case WAITS_FOR_ITS_KEY -> {}
            case STOPPED -> members.giveBack(List.of(message));
        }
    }

    private void handOver(MemoryDelivery delivery) {
        if (unsettled.beginHandOver()) {
            try {
                callHandler(delivery);
            } finally {
                unsettled.endHandOver();
            }
        }
    }

    private void callHandler(MemoryDelivery delivery) {
        delivery.markHandedOver(reports.received());
        try {
            deliveries.accept(delivery);
        } catch (RuntimeException | Error failure) {
            LOG.warn(
                    "Message {} could not be handed over; trying again later",
                    delivery.message().id(),
                    failure);
            delivery.retryLater("Could not be handed over: " + failure);
        }
    }

    void handled(MemoryDelivery delivery) {
        reports.handled(delivery.handedOverAt());
        settled(delivery);
    }

    private void settled(MemoryDelivery delivery) {
        unsettled.remove(delivery).ifPresent(this::handOver);
        members.wake();
    }

    void retry(MemoryDelivery delivery, String reason) {
        if (delivery.attempt() >= options.maxAttempts()) {
            park(delivery, reason);
            return;
        }
        reports.failed(delivery.handedOverAt());
        reports.retried();
        MemoryDelivery next = new MemoryDelivery(this, delivery.message(), delivery.attempt() + 1);
        unsettled.replace(delivery, next);
        try {
            var unused =
                    timer.schedule(() -> handOver(next), options.retryPause().toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug(
                    "Receiver {} is closed; message {} goes back",
                    name(),
                    delivery.message().id());
        }
    }

    void park(MemoryDelivery delivery, String reason) {
        if (!unsettled.holds(delivery)) {
            return;
        }
        LOG.warn("Message {} is parked by {}: {}", delivery.message().id(), name(), reason);
        reports.failed(delivery.handedOverAt());
        reports.parked();
        parkingLot.add(new ParkedMessage(delivery.message(), reason, delivery.attempt()));
        settled(delivery);
    }

    /** What was parked so far, oldest first. */
    public List<ParkedMessage> parked() {
        return parkingLot.contents();
    }

    @Override
    public synchronized void stop() {
        unsettled.stop();
        if (membership != null) {
            membership.close();
        }
    }

    @Override
    public synchronized void close() {
        stop();
        timer.shutdownNow();
        if (members != null) {
            awaitMemberEnd();
            members.giveBack(unsettled.takeAll());
        }
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
        if (!unsettled.isStopped()) {
            unsettled.whenEmpty(() -> termination.complete(null));
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
}
