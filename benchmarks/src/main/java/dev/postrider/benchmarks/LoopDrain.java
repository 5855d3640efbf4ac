package dev.postrider.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;

/** Drains a backlog with a loop written by hand. */
final class LoopDrain {

    private LoopDrain() {}

    /** Drains all of this many messages on one connection and returns the rate, as {@link Stretch} defines it. */
    static double drain(BenchOutbox outbox, long messages) throws SQLException {
        Stretch stretch = new Stretch(messages);
        try (Connection connection = outbox.connection()) {
            JdbcLoop loop = outbox.kind().loop(connection);
            long done = 0;
            while (!stretch.reached(done)) {
                int batch = loop.next();
                if (batch == 0) {
                    throw new IllegalStateException("Only " + done + " of " + messages + " messages were there");
                }
                done += batch;
            }
        }
        return stretch.rate();
    }
}
