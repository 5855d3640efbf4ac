package dev.postrider.benchpeers;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.DrainTimer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where the messages of a peer arrive: does nothing but remember which. Proves at the end that each arrived. Thread-safe.
 */
final class Deliveries {

    private final PeerMessages messages;
    private final AtomicIntegerArray times;
    private final AtomicInteger arrived = new AtomicInteger();
    private final LongAdder repeats = new LongAdder();
    private final CountDownLatch all = new CountDownLatch(1);
    private final DrainTimer timer;

    /** Counts the deliveries of {@code count} messages. */
    Deliveries(PeerMessages messages, int count) {
        this.messages = messages;
        this.times = new AtomicIntegerArray(count);
        this.timer = new DrainTimer(count);
    }

    /** A message has arrived. */
    void accept(String payload) {
        if (times.getAndIncrement(messages.numberOf(payload)) > 0) {
            repeats.increment();
        } else if (timer.reached(arrived.incrementAndGet())) {
            all.countDown();
        }
    }

    /**
     * Waits until each message has arrived.
     *
     * @throws BenchException if for such a time no further one came
     */
    void await(Duration silence) throws InterruptedException {
        int before = -1;
        while (!all.await(silence.toMillis(), TimeUnit.MILLISECONDS)) {
            if (arrived.get() == before) {
                requireAll();
            }
            before = arrived.get();
        }
    }

    /** @throws BenchException if a message has not arrived */
    void requireAll() {
        int missing = times.length() - arrived.get();
        if (missing > 0) {
            throw new BenchException("%d of %d messages have not arrived, the first is number %d"
                    .formatted(missing, times.length(), firstMissing()));
        }
    }

    private int firstMissing() {
        int number = 0;
        while (times.get(number) > 0) {
            number++;
        }
        return number;
    }

    /** How many different messages have arrived. */
    long distinct() {
        return arrived.get();
    }

    /** How often one arrived that had arrived before. */
    long repeats() {
        return repeats.sum();
    }

    /** Messages per second, from the first tenth to the last. */
    double rate() {
        return timer.rate();
    }
}
