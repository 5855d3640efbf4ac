package dev.postrider.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The relay that most teams write: one table with a status, rows claimed by {@code FOR UPDATE SKIP LOCKED}, sent, and marked as sent
 * in the same transaction. Two workers, batches of 200, an index on status and id.
 */
final class SkipLockedRelay {

    private static final int WORKERS = 2;
    private static final int BATCH = 200;

    private static final String SELECT = """
            SELECT id, topic, message_key, type, headers, payload FROM status_outbox
            WHERE status = 'PENDING' ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED""";

    private final BenchOutbox bench;

    SkipLockedRelay(BenchOutbox bench) {
        this.bench = bench;
    }

    void createTable() throws SQLException {
        boolean isPostgres = bench.kind() == BenchStore.POSTGRES;
        bench.execute("""
                CREATE TABLE status_outbox (
                  id %s PRIMARY KEY,
                  status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
                  topic VARCHAR(255) NOT NULL,
                  message_key VARCHAR(255),
                  type VARCHAR(255) NOT NULL,
                  headers TEXT,
                  payload %s NOT NULL,
                  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                  sent_at TIMESTAMP NULL)""".formatted(
                        isPostgres ? "BIGINT GENERATED ALWAYS AS IDENTITY" : "BIGINT AUTO_INCREMENT",
                        isPostgres ? "bytea" : "LONGBLOB"));
        bench.execute("CREATE INDEX status_outbox_pending ON status_outbox (status, id)");
    }

    /** The same content as the outbox gets. The table is emptied first: a team would clean it up. */
    void seed(int messages, int bytes) throws SQLException {
        bench.execute("TRUNCATE TABLE status_outbox");
        bench.seed(messages, bytes);
        bench.execute("""
                INSERT INTO status_outbox (topic, message_key, type, headers, payload)
                SELECT topic, message_key, type, headers, payload FROM outbox""");
        bench.empty();
    }

    /** Sends all of this many messages and returns the rate. */
    double drain(int messages) throws Exception {
        Stretch stretch = new Stretch(messages);
        AtomicLong sent = new AtomicLong();
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Callable<Long>> work = Collections.nCopies(WORKERS, () -> drain(stretch, sent));
            for (Future<Long> worker : workers.invokeAll(work)) {
                worker.get();
            }
        } finally {
            workers.shutdownNow();
        }
        if (sent.get() != messages) {
            throw new IllegalStateException(sent + " of " + messages + " messages were sent");
        }
        return stretch.rate();
    }

    private long drain(Stretch stretch, AtomicLong sent) throws SQLException {
        long checksum = 0;
        try (Connection connection = bench.connection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            List<Long> ids = new ArrayList<>();
            do {
                ids.clear();
                checksum += claim(connection, ids);
                mark(connection, ids);
                connection.commit();
                stretch.reached(sent.addAndGet(ids.size()));
            } while (!ids.isEmpty());
            connection.setAutoCommit(true);
        }
        return checksum;
    }

    /** Reads what a relay would need for sending. */
    private static long claim(Connection connection, List<Long> ids) throws SQLException {
        long checksum = 0;
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setInt(1, BATCH);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong("id"));
                    checksum += rows.getBytes("payload").length
                            + rows.getString("topic").length()
                            + rows.getString("message_key").length()
                            + rows.getString("type").length()
                            + rows.getString("headers").length();
                }
            }
        }
        return checksum;
    }

    private static void mark(Connection connection, List<Long> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        String list = String.join(", ", Collections.nCopies(ids.size(), "?"));
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE status_outbox SET status = 'SENT', sent_at = CURRENT_TIMESTAMP WHERE id IN (" + list + ")")) {
            for (int i = 0; i < ids.size(); i++) {
                update.setLong(i + 1, ids.get(i));
            }
            update.executeUpdate();
        }
    }
}
