package dev.postrider.benchmarks;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Producers at a fixed rate with a relay in the same process, which they wake: how long a message takes from its commit to its
 * acknowledgement.
 *
 * <p>Producers keep to a timetable, each transaction at its own moment whatever the one before took; a transaction that starts late is
 * measured from the moment at which it should have committed, so that a stall counts for everything it delayed.
 */
final class MixedScenario implements Scenario {

    private static final int PRODUCERS = 4;
    private static final List<Integer> RATES = List.of(100, 1_000, 2_000);

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        List<Result> results = new ArrayList<>();
        for (int rate : RATES) {
            measure(outbox, settings, rate, Math.max(1, settings.messages() / 10));
            results.add(measure(outbox, settings, rate, settings.messages()));
        }
        return results;
    }

    private static Result measure(BenchOutbox outbox, Settings settings, int rate, int messages) throws Exception {
        Business business = new Business(outbox, settings.bytes());
        business.createTables();
        Delays delays = new Delays();
        long start = System.nanoTime();
        try (Relay relay = Relay.withDefaults(outbox.store(), delays)) {
            relay.start();
            List<Thread> producers = new ArrayList<>();
            for (int producer = 0; producer < PRODUCERS; producer++) {
                int first = producer;
                Thread thread =
                        new Thread(() -> produce(outbox, business, delays, new Timetable(rate, messages), first));
                thread.start();
                producers.add(thread);
            }
            for (Thread producer : producers) {
                producer.join();
            }
            delays.await(messages);
        }
        double reached = messages * 1e9 / (System.nanoTime() - start);
        outbox.requireEmpty();
        return Result.of("mixed", outbox.kind(), "postrider", reached, messages)
                .with("offered_rate", rate)
                .with("delivered", delays.count())
                .with("p50_ms", delays.percentile(0.50))
                .with("p95_ms", delays.percentile(0.95))
                .with("p99_ms", delays.percentile(0.99))
                .with("max_ms", delays.percentile(1.0));
    }

    /** When each message is due, counted from now. */
    private record Timetable(int rate, int messages, long start) {

        Timetable(int rate, int messages) {
            this(rate, messages, System.nanoTime());
        }

        long due(int number) {
            return start + number * 1_000_000_000L / rate;
        }
    }

    private static void produce(BenchOutbox outbox, Business business, Delays delays, Timetable timetable, int first) {
        try (Connection connection = outbox.connection()) {
            connection.setAutoCommit(false);
            for (int number = first; number < timetable.messages(); number += PRODUCERS) {
                waitUntil(timetable.due(number));
                long begun = System.nanoTime();
                OutboxMessage message = business.message(number);
                business.place(connection, message.id().toString(), number);
                business.outbox().enqueue(connection, message);
                connection.commit();
                business.outbox().wake();
                long late = begun - timetable.due(number);
                delays.committed(message.id(), System.nanoTime() - Math.max(0, late));
            }
            connection.setAutoCommit(true);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void waitUntil(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** A destination that acknowledges at once and notes when. */
    private static final class Delays implements Destination {

        private static final CompletionStage<DeliveryResult> DELIVERED =
                CompletableFuture.completedFuture(DeliveryResult.DELIVERED);

        /** The half of each pair that came first; the acknowledgement may come before the commit has returned. */
        private final Map<MessageId, Long> commits = new ConcurrentHashMap<>();

        private final Map<MessageId, Long> acknowledged = new ConcurrentHashMap<>();
        private final ConcurrentLinkedQueue<Long> delays = new ConcurrentLinkedQueue<>();

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
            acknowledged.putIfAbsent(message.id(), System.nanoTime());
            pair(message.id());
            return DELIVERED;
        }

        void committed(MessageId id, long at) {
            commits.put(id, at);
            pair(id);
        }

        private void pair(MessageId id) {
            Long acknowledgedAt = acknowledged.get(id);
            Long committedAt = acknowledgedAt == null ? null : commits.remove(id);
            if (committedAt != null) {
                delays.add(Math.max(0, acknowledgedAt - committedAt));
            }
        }

        void await(int messages) throws InterruptedException {
            while (acknowledged.size() < messages) {
                Thread.sleep(1);
            }
        }

        int count() {
            return acknowledged.size();
        }

        /** In milliseconds. */
        double percentile(double share) {
            List<Long> sorted = delays.stream().sorted().toList();
            int index = (int) Math.ceil(share * sorted.size()) - 1;
            return sorted.get(Math.max(0, index)) / 1e6;
        }
    }
}
