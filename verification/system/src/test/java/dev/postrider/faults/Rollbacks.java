package dev.postrider.faults;

import dev.postrider.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Enqueues messages and rolls back, as fast as it can, until the database is gone. */
final class Rollbacks implements AutoCloseable {

    private final DataSource dataSource;
    private final Outbox outbox;
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean isStopping;

    private Rollbacks(DataSource dataSource, Outbox outbox) {
        this.dataSource = dataSource;
        this.outbox = outbox;
    }

    static Rollbacks start(Scene scene) {
        Rollbacks rollbacks = new Rollbacks(scene.database().dataSource(), scene.outbox());
        Threads.start("rollbacks", rollbacks::run);
        return rollbacks;
    }

    private void run() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            while (!isStopping) {
                outbox.enqueue(
                        connection,
                        outbox.message(Scene.TOPIC).key("key").type("Undone").build());
                connection.rollback();
                count.incrementAndGet();
            }
        } catch (SQLException | RuntimeException gone) {
            isStopping = true;
        }
    }

    /** Waits until this many transactions were rolled back. */
    void await(int rollbacks) {
        Eventually.holds(rollbacks + " transactions were rolled back", () -> count.get() >= rollbacks);
    }

    @Override
    public void close() {
        isStopping = true;
    }
}
