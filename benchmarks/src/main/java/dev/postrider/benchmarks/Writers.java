package dev.postrider.benchmarks;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Four services that enqueue one message in each of their transactions. */
final class Writers {

    private static final int THREADS = 4;

    private Writers() {}

    /** Enqueues so many messages and returns how many that were per second. */
    static double rate(BenchOutbox outbox, int messages, int bytes) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long start = System.nanoTime();
            List<Callable<Integer>> writers = new ArrayList<>();
            for (int writer = 0; writer < THREADS; writer++) {
                int first = writer;
                writers.add(() -> write(outbox, first, messages, bytes));
            }
            for (Future<Integer> written : threads.invokeAll(writers)) {
                written.get();
            }
            return messages * 1e9 / (System.nanoTime() - start);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int write(BenchOutbox bench, int first, int messages, int bytes) throws SQLException {
        Outbox outbox = Outbox.withDefaults(bench.store());
        byte[] payload = new byte[bytes];
        int written = 0;
        try (Connection connection = bench.connection()) {
            connection.setAutoCommit(false);
            for (int number = first; number < messages; number += THREADS) {
                outbox.enqueue(connection, message(number, payload));
                connection.commit();
                written++;
            }
            connection.setAutoCommit(true);
        }
        return written;
    }

    private static OutboxMessage message(int number, byte[] payload) {
        return OutboxMessage.builder("orders")
                .key("order-" + number % 10_000)
                .type("com.example.OrderPlaced")
                .payload(payload)
                .build();
    }
}
