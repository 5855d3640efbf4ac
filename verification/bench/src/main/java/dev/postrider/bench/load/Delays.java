package dev.postrider.bench.load;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Percentiles;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * A destination that acknowledges at once and notes when, beside the moments of the commits. It allocates nothing for a message, so
 * that it adds no pauses of its own. Thread-safe.
 */
final class Delays implements Destination {

    private static final CompletionStage<DeliveryResult> DELIVERED =
            CompletableFuture.completedFuture(DeliveryResult.DELIVERED);

    private final int warmUp;
    private final AtomicLongArray committedAt;
    private final AtomicLongArray acknowledgedAt;
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicLong largestLag = new AtomicLong();
    private final CountDownLatch all = new CountDownLatch(1);

    /** @param warmUp how many messages come before those that count */
    Delays(int messages, int warmUp) {
        this.warmUp = warmUp;
        committedAt = new AtomicLongArray(messages);
        acknowledgedAt = new AtomicLongArray(messages);
    }

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofSeconds(1);
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        boolean isFirst = acknowledgedAt.compareAndSet(Business.number(message), 0, System.nanoTime());
        (isFirst ? acknowledged : duplicates).incrementAndGet();
        if (acknowledged.get() == acknowledgedAt.length()) {
            all.countDown();
        }
        return DELIVERED;
    }

    /** This message was committed at that moment. */
    void committed(int number, long at) {
        committedAt.set(number, at);
        long lag = committed.incrementAndGet() - (long) acknowledged.get();
        if (number >= warmUp) {
            largestLag.accumulateAndGet(lag, Math::max);
        }
    }

    void await() throws InterruptedException {
        if (!all.await(5, TimeUnit.MINUTES)) {
            throw new BenchException(
                    "%d of %d messages were delivered".formatted(acknowledged.get(), acknowledgedAt.length()));
        }
    }

    /** How many came, duplicates included. */
    int delivered() {
        return acknowledged.get() + duplicates.get();
    }

    /** How many messages were committed and not yet acknowledged, at most. */
    long largestLag() {
        return largestLag.get();
    }

    /**
     * From commit to acknowledgement. An acknowledgement may come before the commit returns.
     *
     * @param late by how much each transaction began late, which counts as delay
     */
    Percentiles percentiles(long[] late) {
        return new Percentiles(IntStream.range(warmUp, late.length)
                .mapToLong(n -> Math.max(0, acknowledgedAt.get(n) - committedAt.get(n) + late[n]))
                .toArray());
    }

    /** When the last acknowledgement came. */
    long lastAcknowledgement() {
        long last = acknowledgedAt.get(0);
        for (int number = 1; number < acknowledgedAt.length(); number++) {
            last = Math.max(last, acknowledgedAt.get(number));
        }
        return last;
    }
}
