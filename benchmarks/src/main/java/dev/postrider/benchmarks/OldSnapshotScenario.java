package dev.postrider.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The drain while a REPEATABLE READ transaction stays open, so that nothing deleted since can be removed, against a clean one.
 *
 * <p>The two take turns in two databases of one server: on PostgreSQL a transaction holds back the clean-up of its own database
 * only. On MySQL and MariaDB it holds back that of the whole server, and both drains feel it; there the scenario only shows that
 * an old snapshot makes no difference between a table that has been used and a new one.
 */
final class OldSnapshotScenario implements Scenario {

    /** How many messages are delivered under the snapshot before it counts, as a multiple of a round. */
    private static final int ROUNDS_BEFORE = 10;

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        Rounds clean = new Rounds();
        Rounds old = new Rounds();
        try (BenchOutbox held = outbox.sibling();
                Connection reader = held.connection()) {
            holdSnapshot(reader);
            for (int round = 0; round < ROUNDS_BEFORE; round++) {
                drain(held, settings);
            }
            drain(outbox, settings);
            for (int round = 0; round < settings.rounds(); round++) {
                clean.add(drain(outbox, settings));
                old.add(drain(held, settings));
            }
            reader.rollback();
        }
        return List.of(
                Result.of("old-snapshot", settings.store(), "postrider-clean", clean, settings.messages()),
                Result.of(
                        "old-snapshot",
                        settings.store(),
                        "postrider",
                        old,
                        settings.messages(),
                        clean,
                        "postrider-clean"));
    }

    private static double drain(BenchOutbox outbox, Settings settings) throws Exception {
        outbox.seed(settings.messages(), settings.bytes());
        return RelayDrain.drain(outbox.store(), settings.messages());
    }

    private static void holdSnapshot(Connection reader) throws SQLException {
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        reader.setAutoCommit(false);
        try (Statement statement = reader.createStatement()) {
            statement.executeQuery("SELECT count(*) FROM outbox").close();
        }
    }
}
