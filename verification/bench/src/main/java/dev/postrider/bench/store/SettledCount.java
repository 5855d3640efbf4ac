package dev.postrider.bench.store;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.relay.RelayListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what relays have settled, and tells when that is all. Thread-safe. */
final class SettledCount implements RelayListener {

    private final DrainTimer timer;
    private final AtomicLong settled = new AtomicLong();
    private final CountDownLatch end = new CountDownLatch(1);

    SettledCount(DrainTimer timer) {
        this.timer = timer;
    }

    @Override
    public void settled(int rows, Duration took) {
        if (timer.reached(settled.addAndGet(rows))) {
            end.countDown();
        }
    }

    void await() throws InterruptedException {
        if (!end.await(30, TimeUnit.MINUTES)) {
            throw new BenchException("The relay has delivered only " + settled + " messages in half an hour");
        }
    }
}
