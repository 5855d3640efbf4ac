package dev.postrider.benchmarks;

import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Adds up what a relay spends on fetching. */
final class FetchCost implements RelayListener {

    private final long wanted;
    private final CountDownLatch end = new CountDownLatch(1);
    private long settled;
    private long rows;
    private long nanos;

    private FetchCost(long wanted) {
        this.wanted = wanted;
    }

    /** Delivers at least so many messages and returns how many were fetched per second of fetching. */
    static double rate(OutboxStore store, long messages) throws InterruptedException {
        FetchCost cost = new FetchCost(messages);
        try (Relay relay =
                Relay.builder(store, RelayDrain.nowhere()).listener(cost).build()) {
            relay.start();
            if (!cost.end.await(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException("The relay has delivered only " + cost.settled);
            }
        }
        return cost.rate();
    }

    @Override
    public synchronized void fetched(int count, Duration took) {
        // What comes after the end may be empty looks at an empty table.
        if (end.getCount() > 0) {
            rows += count;
            nanos += took.toNanos();
        }
    }

    @Override
    public synchronized void settled(int count, Duration took) {
        settled += count;
        if (settled >= wanted) {
            end.countDown();
        }
    }

    private synchronized double rate() {
        return rows * 1e9 / nanos;
    }
}
