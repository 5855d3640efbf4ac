package dev.postrider.micrometer;

import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.OutboxStats;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the statistics in the background, never more often than the interval and for at most a twentieth of the time: beside
 * an old snapshot even a bounded count has many dead rows to pass.
 */
final class StatsThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostriderMetrics.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final int SHARE_OF_TIME = 20;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<OutboxStats> source;
    private final StatsMeters meters;
    private final Counter failures;
    private final long interval;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "postrider-metrics");

    StatsThread(Supplier<OutboxStats> source, StatsMeters meters, Counter failures, Duration interval) {
        this.source = source;
        this.meters = meters;
        this.failures = failures;
        this.interval = interval.toNanos();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            long pause;
            do {
                pause = read();
            } while (!closed.await(pause, TimeUnit.NANOSECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        meters.showNothing();
    }

    /** Returns how long to wait before the next time, in nanoseconds. */
    private long read() {
        long start = System.nanoTime();
        try {
            meters.show(source.get());
            throttle.worked(
                    "stats",
                    (level, note) -> LOG.atLevel(level).log("The outbox's statistics can be read again {}", note));
        } catch (RuntimeException | LinkageError failure) {
            meters.showNothing();
            failures.increment();
            throttle.warn(
                    "stats",
                    failure,
                    "Cannot read the outbox's statistics; its gauges show nothing until that works again");
        }
        return pauseAfter(System.nanoTime() - start);
    }

    /** However long a read takes, reading takes at most a twentieth of the time. In nanoseconds. */
    long pauseAfter(long took) {
        return Math.max(interval, took * SHARE_OF_TIME);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
