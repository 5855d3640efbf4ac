package dev.postrider.bench.scenario;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.store.BenchOutbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A REPEATABLE READ transaction that may stay open, so that nothing deleted since can be removed. Close it. Not thread-safe. */
final class OldSnapshot implements AutoCloseable {

    private static final Duration LONGEST_PURGE = Duration.ofMinutes(2);
    private static final Pattern HISTORY = Pattern.compile("History list length (\\d+)");
    private static final long CLEAN_HISTORY = 1_000;

    private final BenchOutbox outbox;
    private final Connection reader;
    private boolean isHeld;

    OldSnapshot(BenchOutbox outbox) throws SQLException {
        this.outbox = outbox;
        this.reader = outbox.database().connection();
    }

    /** Begins the transaction, unless it is open. */
    void hold() throws SQLException {
        if (!isHeld) {
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reader.setAutoCommit(false);
            try (Statement statement = reader.createStatement()) {
                statement.executeQuery("SELECT count(*) FROM " + outbox.table()).close();
            }
            isHeld = true;
        }
    }

    /** Ends it, and returns when the database has removed what it held back: else the clean rounds would pay for that. */
    void release() throws SQLException, InterruptedException {
        if (isHeld) {
            end();
            cleanUp();
        }
    }

    private void end() throws SQLException {
        reader.rollback();
        reader.setAutoCommit(true);
        isHeld = false;
    }

    private void cleanUp() throws SQLException, InterruptedException {
        BenchDatabase database = outbox.database();
        switch (database.kind()) {
            case POSTGRES -> database.execute("VACUUM " + outbox.table());
            case MYSQL, MARIADB -> awaitPurge();
            case H2, TIDB -> {}
        }
    }

    private void awaitPurge() throws SQLException, InterruptedException {
        long end = System.nanoTime() + LONGEST_PURGE.toNanos();
        while (historyLength() > CLEAN_HISTORY) {
            if (System.nanoTime() > end) {
                throw new BenchException("The server still has old versions of rows after %s".formatted(LONGEST_PURGE));
            }
            Thread.sleep(50);
        }
    }

    /** How many transactions InnoDB has still to clean up after. */
    private long historyLength() throws SQLException {
        try (Statement statement = reader.createStatement();
                ResultSet row = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
            row.next();
            Matcher history = HISTORY.matcher(row.getString("Status"));
            return history.find() ? Long.parseLong(history.group(1)) : 0;
        }
    }

    @Override
    public void close() throws SQLException {
        try (reader) {
            if (isHeld) {
                end();
            }
        }
    }
}
