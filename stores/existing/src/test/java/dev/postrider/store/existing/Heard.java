package dev.postrider.store.existing;

import dev.postrider.relay.Attempt;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a relay has told its listener, to be waited for. */
final class Heard implements RelayListener {

    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();

    private final List<String> failed = new ArrayList<>();
    private final List<String> overdue = new ArrayList<>();
    private final List<StoreOperation> storeFailures = new ArrayList<>();
    private int notReached;
    private int crashes;

    /** The messages that had a failed attempt, once for each attempt. */
    synchronized List<String> failed() {
        return List.copyOf(failed);
    }

    synchronized List<String> overdue() {
        return List.copyOf(overdue);
    }

    synchronized int notReached() {
        return notReached;
    }

    void awaitOverdue(int count) {
        await(() -> overdue.size() >= count);
    }

    void awaitFailures(StoreOperation operation, int count) {
        await(() -> storeFailures.stream().filter(operation::equals).count() >= count);
    }

    void awaitCrash() {
        await(() -> crashes > 0);
    }

    synchronized void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError("Heard only of failures %s, overdue %s, store failures %s, %d crashes"
                            .formatted(failed, overdue, storeFailures, crashes));
                }
                wait(100);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", interrupted);
        }
    }

    @Override
    public synchronized void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        failed.add(attempt.message().id().toString());
        notifyAll();
    }

    @Override
    public synchronized void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
        notReached++;
        notifyAll();
    }

    @Override
    public synchronized void overdue(Attempt attempt, Duration since) {
        overdue.add(attempt.message().id().toString());
        notifyAll();
    }

    @Override
    public synchronized void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        storeFailures.add(operation);
        notifyAll();
    }

    @Override
    public synchronized void crashed(String part, Throwable failure) {
        crashes++;
        notifyAll();
    }
}
