package dev.postrider.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What the outbox costs a service: business transactions without it, against the same with messages enqueued. The ratio is how much
 * longer a transaction takes.
 */
final class EnqueueScenario implements Scenario {

    private static final List<Integer> PRODUCERS = List.of(1, 4, 8);
    private static final List<Integer> MESSAGES = List.of(1, 10);

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        List<Result> results = new ArrayList<>();
        Business business = new Business(outbox, settings.bytes());
        for (int producers : PRODUCERS) {
            for (int messages : MESSAGES) {
                results.addAll(compare(outbox, business, new Load(producers, messages, settings)));
            }
        }
        return results;
    }

    /** @param messages in each transaction */
    private record Load(int producers, int messages, Settings settings) {

        /** A round with ten messages in each transaction would take ten times as long. */
        int transactions() {
            return settings.messages() / messages;
        }
    }

    private static List<Result> compare(BenchOutbox outbox, Business business, Load load) throws Exception {
        Rounds alone = new Rounds();
        Rounds together = new Rounds();
        for (int round = 0; round <= load.settings().rounds(); round++) {
            double without = rate(outbox, business, load, 0);
            double with = rate(outbox, business, load, load.messages());
            outbox.empty();
            if (round > 0) {
                alone.add(without);
                together.add(with);
            }
        }
        BenchStore store = outbox.kind();
        return List.of(
                Result.of("enqueue", store, "business-only", alone, load.transactions())
                        .with("producers", load.producers()),
                Result.of("enqueue", store, "postrider", together, load.transactions())
                        .comparedWith(alone.medianRatioTo(together), "business-only")
                        .with("producers", load.producers())
                        .with("messages_per_transaction", load.messages()));
    }

    /** Transactions per second. */
    private static double rate(BenchOutbox outbox, Business business, Load load, int messages) throws Exception {
        business.createTables();
        ExecutorService threads = Executors.newFixedThreadPool(load.producers());
        try {
            List<Callable<Integer>> producers = new ArrayList<>();
            for (int producer = 0; producer < load.producers(); producer++) {
                int first = producer;
                producers.add(() -> produce(outbox, business, load, first, messages));
            }
            long start = System.nanoTime();
            for (Future<Integer> produced : threads.invokeAll(producers)) {
                produced.get();
            }
            return load.transactions() * 1e9 / (System.nanoTime() - start);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int produce(BenchOutbox outbox, Business business, Load load, int first, int messages)
            throws SQLException {
        int committed = 0;
        try (Connection connection = outbox.connection()) {
            connection.setAutoCommit(false);
            for (int number = first; number < load.transactions(); number += load.producers()) {
                business.place(connection, "order-" + number, number);
                if (messages > 0) {
                    business.outbox().enqueue(connection, business.messages(number, messages));
                }
                connection.commit();
                committed++;
            }
            connection.setAutoCommit(true);
        }
        return committed;
    }
}
