package dev.postrider.bench.store;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Span;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Adds up what a relay spends on fetching. Thread-safe. */
public final class FetchCost implements RelayListener {

    private final long wanted;
    private final CountDownLatch end = new CountDownLatch(1);
    private long settled;
    private long rows;
    private long nanos;

    private FetchCost(long wanted) {
        this.wanted = wanted;
    }

    /** Delivers at least this many messages; the rate is how many were fetched per second of fetching. */
    public static Round measure(OutboxStore store, long messages) throws InterruptedException {
        long start = System.nanoTime();
        FetchCost cost = new FetchCost(messages);
        CountingDestination nowhere = new CountingDestination();
        try (Relay relay = Relay.builder(store, nowhere).listener(cost).build()) {
            relay.start();
            if (!cost.end.await(10, TimeUnit.MINUTES)) {
                throw new BenchException("The relay has delivered only " + cost.settled + " messages");
            }
        }
        return new Round(cost.rate(), cost.settled(), nowhere.count(), Span.since(start));
    }

    @Override
    public synchronized void fetched(long batch, int count, Duration took) {
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

    private synchronized long settled() {
        return settled;
    }

    private synchronized double rate() {
        return rows * 1e9 / nanos;
    }
}
