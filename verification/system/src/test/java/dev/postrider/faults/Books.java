package dev.postrider.faults;

import dev.postrider.Outbox;
import dev.postrider.prove.write.Ledger;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.OutboxWithLedger;
import dev.postrider.prove.write.WriterPlan;
import dev.postrider.prove.write.Writers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** The ledger of one database, and its writers. Thread-safe. */
final class Books {

    private static final Ledger LEDGER = new Ledger("faults");

    private final DataSource dataSource;
    private final Queue<LedgerEntry> confirmed = new ConcurrentLinkedQueue<>();

    private Books(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Creates the tables. */
    static Books open(DataSource dataSource) {
        Books books = new Books(dataSource);
        books.with(connection -> {
            LEDGER.create(connection);
            return connection;
        });
        return books;
    }

    /** Starts writers that reach the database this way. */
    Writers start(DataSource way, Outbox outbox, WriterPlan plan) {
        with(connection -> {
            LEDGER.addKeys(connection, plan.keys().all());
            return connection;
        });
        return Writers.start(
                new OutboxWithLedger(way, outbox, LEDGER),
                plan,
                number -> Seed.random("writer-" + number),
                confirmed::addAll);
    }

    List<LedgerEntry> committed() {
        return with(LEDGER::entries);
    }

    /** What the database has lost though its commit had returned; else the harness is wrong. */
    Collection<LedgerEntry> confirmedAndGone() {
        Set<LedgerEntry> gone = new HashSet<>(confirmed);
        committed().forEach(gone::remove);
        return gone;
    }

    /** Notes what this transaction enqueues. */
    static void record(Connection connection, Collection<LedgerEntry> entries) throws SQLException {
        LEDGER.record(connection, entries);
    }

    /** Locks the key until the end of the transaction and returns its count. */
    static long lock(Connection connection, String key) throws SQLException {
        return LEDGER.lock(connection, key);
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T with(Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return work.on(connection);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
