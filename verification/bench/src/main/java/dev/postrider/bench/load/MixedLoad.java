package dev.postrider.bench.load;

import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Percentiles;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.relay.Relay;
import java.sql.Connection;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Producers at a fixed rate with a relay in the same process, which they wake: how long a message takes from its commit to its
 * acknowledgement.
 *
 * <p>Nothing waits for the relay, and producers keep to a {@link Timetable}. A transaction that begins late, because its producer was
 * still busy, counts from the moment at which it would have committed in time: a stall counts for everything it delayed. There are
 * enough producers that only stalls of many transactions make one late; {@code producer_late_p99_ms} tells how late they were, and
 * {@code p99_without_lateness_ms} what the relay alone took.
 *
 * @param producers how many there are
 * @param rate transactions per second, each with one message, or {@link #FULL_SPEED}
 * @param warmUp how many come first and do not count; the relay goes on running
 * @param messages how many count
 */
public record MixedLoad(int producers, int rate, int warmUp, int messages) {

    /** Each producer begins its next transaction as soon as it has committed one. */
    public static final int FULL_SPEED = 0;

    /** Runs until everything is delivered. */
    public Measurement run(BenchOutbox outbox, Business business) throws Exception {
        int all = warmUp + messages;
        Delays delays = new Delays(all, warmUp);
        long[] late = new long[all];
        long start = System.nanoTime();
        long produced;
        try (Relay relay = Relay.withDefaults(outbox.store(), delays)) {
            relay.start();
            Timetable timetable = new Timetable(rate, start);
            Threads.run(producers, first -> () -> produce(business, timetable, delays, late, first));
            produced = System.nanoTime();
            delays.await();
        }
        outbox.requireEmpty();
        double reached = all * 1e9 / (delays.lastAcknowledgement() - start);
        business.forgetOrders();
        Measurement measured = Measurement.of("postrider", reached, all, delays.delivered());
        return delays.percentiles(late)
                .addTo(rate == FULL_SPEED ? measured : measured.with("offered_rate", rate))
                .with("producer_late_p99_ms", new Percentiles(Arrays.copyOfRange(late, warmUp, all)).millis(0.99))
                .with(
                        "p99_without_lateness_ms",
                        delays.percentiles(new long[all]).millis(0.99))
                .with("producer_rate", all * 1e9 / (produced - start))
                .with("max_lag", delays.largestLag());
    }

    private int produce(Business business, Timetable timetable, Delays delays, long[] late, int first)
            throws Exception {
        try (Connection connection = business.connection()) {
            connection.setAutoCommit(false);
            for (int number = first; number < late.length; number += producers) {
                late[number] = timetable.await(number);
                business.place(connection, number);
                business.enqueue(connection, number, 1);
                connection.commit();
                delays.committed(number, System.nanoTime());
                business.wake();
            }
            connection.setAutoCommit(true);
        }
        return 0;
    }

    /**
     * When each transaction is to begin, whatever those before it took. Immutable.
     *
     * @param rate transactions per second; {@link MixedLoad#FULL_SPEED}: each as soon as its producer is free
     * @param start by {@link System#nanoTime()}
     */
    private record Timetable(int rate, long start) {

        /** Waits for the turn of a transaction and returns by how much it is late. */
        long await(int number) {
            if (rate == MixedLoad.FULL_SPEED) {
                return 0;
            }
            long due = start + number * 1_000_000_000L / rate;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return System.nanoTime() - due;
        }
    }
}
