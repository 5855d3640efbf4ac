package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.RowCount;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StatsThreadTest {

    private static final OutboxStats STATS =
            new OutboxStats(7, true, 1, 2, 3, new RowCount(4, true), Duration.ofSeconds(5));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Meters meters = new Meters(registry, Tags.of("outbox", "o"));
    private final Counter failures = meters.counter(PostriderMeter.STATS_FAILURES);
    private final AtomicInteger reads = new AtomicInteger();
    private final Semaphore begun = new Semaphore(0);
    private StatsThread thread;

    @AfterEach
    void close() {
        thread.close();
    }

    @Test
    void readsOnceForAnyNumberOfScrapes() throws InterruptedException {
        start(() -> STATS, Duration.ofHours(1));
        awaitNumber(7);
        for (int i = 0; i < 100; i++) {
            assertThat(undelivered()).isEqualTo(7);
        }

        assertThat(reads).hasValue(1);
    }

    @Test
    void readsAgainAfterTheInterval() throws InterruptedException {
        start(() -> STATS, Duration.ofMillis(1));

        assertThat(begun.tryAcquire(3, 20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void readsForAtMostATwentiethOfTheTime() {
        start(() -> STATS, Duration.ofSeconds(1));

        assertThat(thread.pauseAfter(Duration.ofMillis(1).toNanos()))
                .isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(thread.pauseAfter(Duration.ofMillis(100).toNanos()))
                .isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void showsNoNumberRatherThanAnOldOneWhenItCannotRead() throws InterruptedException {
        start(
                () -> {
                    if (reads.get() > 1) {
                        throw new IllegalStateException("no connection");
                    }
                    return STATS;
                },
                Duration.ofMillis(1));

        awaitNumber(Double.NaN);
        await(() -> failures.count() > 0);
        awaitNumber(Double.NaN);
    }

    @Test
    void showsNothingAfterItWasClosed() throws InterruptedException {
        start(() -> STATS, Duration.ofHours(1));
        awaitNumber(7);
        thread.close();

        assertThat(undelivered()).isNaN();
    }

    private void start(Supplier<OutboxStats> source, Duration interval) {
        Supplier<OutboxStats> counted = () -> {
            reads.incrementAndGet();
            begun.release();
            return source.get();
        };
        thread = new StatsThread(counted, new StatsMeters(meters), failures, interval);
        thread.start();
    }

    private void awaitNumber(double wanted) throws InterruptedException {
        await(() -> Double.compare(undelivered(), wanted) == 0);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long giveUpAt = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for too long").isLessThan(giveUpAt);
            Thread.sleep(1);
        }
    }

    private double undelivered() {
        return registry.get("postrider.outbox.undelivered").gauge().value();
    }
}
