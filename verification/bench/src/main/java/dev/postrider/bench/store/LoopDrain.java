package dev.postrider.bench.store;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Round;
import java.sql.Connection;
import java.sql.SQLException;

/** Drains a backlog with a loop written by hand. Stateless. */
public final class LoopDrain {

    private LoopDrain() {}

    /** Drains all of this many messages on one connection. */
    public static Round drain(BenchOutbox outbox, long messages) throws SQLException {
        DrainTimer timer = new DrainTimer(messages);
        long done = 0;
        try (Connection connection = outbox.database().connection()) {
            JdbcLoop loop = JdbcLoop.of(outbox, connection);
            while (!timer.reached(done)) {
                int batch = loop.next();
                if (batch == 0) {
                    throw new BenchException("Only " + done + " of " + messages + " messages were there");
                }
                done += batch;
            }
        }
        return timer.round(done);
    }
}
