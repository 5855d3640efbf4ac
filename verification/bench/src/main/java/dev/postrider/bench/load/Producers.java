package dev.postrider.bench.load;

import dev.postrider.bench.measure.Span;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Services that write as fast as they can, each on a connection of its own, until the time is over or all is written.
 *
 * @param count how many
 * @param transactions how many all together make at most
 * @param time how long at most
 */
public record Producers(int count, int transactions, Duration time) {

    /** What a producer does again and again. */
    @FunctionalInterface
    public interface Work {
        void make(Connection connection, int number) throws SQLException;
    }

    /**
     * How many transactions were committed.
     *
     * @param span the time that they took
     */
    public record Output(long transactions, Span span) {

        public double perSecond() {
            return transactions * 1e9 / span.nanos();
        }
    }

    /** Runs business transactions with this many messages in each; 0 means without an outbox. */
    public Output place(Business business, int messages) throws Exception {
        return run(business, false, (connection, number) -> {
            business.place(connection, number);
            if (messages > 0) {
                business.enqueue(connection, number, messages);
            }
            connection.commit();
            if (messages > 0) {
                business.wake();
            }
        });
    }

    /** Messages alone, each inserted with auto-commit. */
    public Output insertOnly(Business business) throws Exception {
        return run(business, true, (connection, number) -> business.enqueue(connection, number, 1));
    }

    private Output run(Business business, boolean autoCommit, Work work) throws Exception {
        long start = System.nanoTime();
        long end = start + time.toNanos();
        long committed = Threads.run(count, first -> () -> {
            int made = 0;
            try (Connection connection = business.connection()) {
                connection.setAutoCommit(autoCommit);
                for (int number = first; number < transactions && System.nanoTime() < end; number += count) {
                    work.make(connection, number);
                    made++;
                }
                connection.setAutoCommit(true);
            }
            return made;
        });
        return new Output(committed, Span.since(start));
    }
}
