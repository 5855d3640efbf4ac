package dev.postrider.cli.demo;

import dev.postrider.relay.Attempt;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.Change.DeadReason;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Notes what the relays report: who takes which lane, what is given up, and anything that should not happen. Thread-safe. */
final class RelayWatch implements RelayListener {

    private final TakeOver takeOver;
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger deadCount = new AtomicInteger();

    RelayWatch(TakeOver takeOver) {
        this.takeOver = takeOver;
    }

    @Override
    public void laneTaken(int lane, long epoch) {
        takeOver.taken(lane);
    }

    @Override
    public void dead(Attempt attempt, DeadReason reason, String error) {
        deadCount.incrementAndGet();
    }

    @Override
    public void laneLost(int lane) {
        troubles.add("lane " + lane + " was not renewed in time; is the machine busy?");
    }

    @Override
    public void overdue(Attempt attempt, Duration since) {
        troubles.add("the send of " + attempt.message().id() + " has not ended for " + since);
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        troubles.add("the store failed to " + operation + ": " + failure.getMessage());
    }

    @Override
    public void sweepFoundMissed(int lane, int rows) {
        troubles.add("the scan of lane " + lane + " had missed " + rows + " rows");
    }

    @Override
    public void crashed(String part, Throwable failure) {
        troubles.add("the " + part + " failed unexpectedly: " + failure);
    }

    int deadCount() {
        return deadCount.get();
    }

    /** What should not have happened, oldest first. */
    List<String> troubles() {
        return List.copyOf(troubles);
    }
}
