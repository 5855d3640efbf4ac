package dev.postrider.cli.demo;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The relays of the demo. The second is killed in the middle of a batch, and the others take its lanes over. Thread-safe. */
final class DemoRelays implements AutoCloseable {

    static final int VICTIM = 2;

    /** Short, so that the demo does not wait long for the lanes of the killed relay. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final List<DemoRelay> relays = new ArrayList<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger dead = new AtomicInteger();
    private final Set<Integer> orphanedLanes = new HashSet<>();
    private int lanesOfVictim;
    private long killedAt;
    private Duration takeOver = Duration.ZERO;

    /** Builds and starts them; the victim dies right after its last send. */
    DemoRelays(int count, int lastSend, DemoDatabase database, Destination destination) {
        for (int number = 1; number <= count; number++) {
            Destination its = number == VICTIM ? new KillAfterSend(destination, lastSend) : destination;
            relays.add(new DemoRelay(database, its, new Watch(number), LEASE));
        }
        relays.forEach(DemoRelay::start);
    }

    /** Kills the victim unless it is dead already. */
    synchronized void kill() {
        DemoRelay victim = relays.get(VICTIM - 1);
        if (!victim.isKilled()) {
            orphanedLanes.addAll(victim.lanes());
            lanesOfVictim = orphanedLanes.size();
            killedAt = System.nanoTime();
            victim.kill();
        }
    }

    private synchronized void taken(int lane) {
        if (orphanedLanes.remove(lane) && orphanedLanes.isEmpty()) {
            takeOver = Duration.ofNanos(System.nanoTime() - killedAt);
        }
    }

    /** How many lanes the victim owned. */
    synchronized int lanesOfVictim() {
        return lanesOfVictim;
    }

    /** The time from the kill until the last lane of the victim had an owner again; empty while one has none. */
    synchronized Optional<Duration> takeOver() {
        return orphanedLanes.isEmpty() ? Optional.of(takeOver) : Optional.empty();
    }

    /** Whether every lane has an owner and no relay has more than its share. */
    boolean areLanesShared(int laneCount) {
        int share = (laneCount + relays.size() - 1) / relays.size();
        List<Integer> owned = relays.stream().map(relay -> relay.lanes().size()).toList();
        return owned.stream().mapToInt(Integer::intValue).sum() == laneCount
                && owned.stream().allMatch(lanes -> lanes <= share);
    }

    int deadLetters() {
        return dead.get();
    }

    /** What should not have happened, oldest first. */
    List<String> troubles() {
        return List.copyOf(troubles);
    }

    /** Who owns how many lanes. */
    @Override
    public String toString() {
        return IntStream.range(0, relays.size())
                .mapToObj(i -> (i + 1) + ": "
                        + (relays.get(i).isKilled()
                                ? "killed"
                                : relays.get(i).lanes().size() + " lanes"))
                .collect(Collectors.joining(", "));
    }

    /** Closes those that live. */
    @Override
    public void close() {
        relays.forEach(DemoRelay::close);
    }

    /** Kills the victim right after the broker took a message: delivered, but never settled. */
    private final class KillAfterSend extends ForwardingDestination {

        private final int lastSend;
        private final AtomicInteger sends = new AtomicInteger();

        KillAfterSend(Destination target, int lastSend) {
            super(target);
            this.lastSend = lastSend;
        }

        @Override
        protected CompletionStage<DeliveryResult> send(
                OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
            CompletionStage<DeliveryResult> sending = onward.get();
            boolean isDelivered = sending.toCompletableFuture().getNow(null) instanceof DeliveryResult.Delivered;
            if (sends.incrementAndGet() >= lastSend && isDelivered) {
                kill();
            }
            return sending;
        }
    }

    /** Notes what a relay reports while it lives. */
    private final class Watch implements RelayListener {

        private final int number;

        Watch(int number) {
            this.number = number;
        }

        private void trouble(String what) {
            if (number != VICTIM || !relays.get(number - 1).isKilled()) {
                troubles.add(what);
            }
        }

        @Override
        public void laneTaken(int lane, long epoch) {
            taken(lane);
        }

        @Override
        public void dead(Attempt attempt, DeadReason reason, String error) {
            dead.incrementAndGet();
        }

        @Override
        public void laneLost(int lane) {
            trouble("lane " + lane + " was not renewed in time; is the machine busy?");
        }

        @Override
        public void overdue(Attempt attempt, Duration since) {
            trouble("the send of " + attempt.message().id() + " has not ended for " + since);
        }

        @Override
        public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
            trouble("the store failed to " + operation + ": " + failure.getMessage());
        }

        @Override
        public void sweepFoundMissed(int lane, int rows) {
            trouble("the scan of lane " + lane + " had missed " + rows + " rows");
        }

        @Override
        public void crashed(String part, Throwable failure) {
            trouble("the " + part + " failed unexpectedly: " + failure);
        }
    }
}
