package dev.postrider.bench.store;

import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Round;
import dev.postrider.service.database.DatabaseKind;
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
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The relay that most teams write: one table with a status and an index on it, rows claimed by {@code FOR UPDATE SKIP LOCKED} in a
 * transaction that stays open while they are sent, and then marked as sent. What was sent stays in the table. Two workers, batches
 * of 100. Thread-safe.
 */
public final class SkipLockedRelay {

    /** How rows are marked as sent. */
    public enum Marking {
        /** One UPDATE for each row, as an object mapper or a loop over what was sent does it. */
        ROW_BY_ROW,
        /** One UPDATE for the whole batch. */
        WHOLE_BATCH
    }

    private static final int WORKERS = 2;
    private static final int BATCH = 100;

    private static final String SELECT = """
            SELECT id, topic, message_key, type, headers, payload FROM %s
            WHERE status = 'PENDING' ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED""";
    private static final String UPDATE = "UPDATE %s SET status = 'SENT', sent_at = CURRENT_TIMESTAMP WHERE id IN (%s)";

    private final BenchOutbox outbox;
    private final String table;
    private final Marking marking;

    /** Creates the table, which is dropped with the outbox. */
    public SkipLockedRelay(BenchOutbox outbox, String suffix, Marking marking) throws SQLException {
        this.outbox = outbox;
        this.table = outbox.table(suffix);
        this.marking = marking;
        createTable(outbox.prefix() + suffix + "_status");
    }

    private void createTable(String index) throws SQLException {
        boolean isPostgres = outbox.database().kind() == DatabaseKind.POSTGRES;
        outbox.database().execute("""
                        CREATE TABLE %s (
                          id %s PRIMARY KEY,
                          status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
                          topic VARCHAR(255) NOT NULL,
                          message_key VARCHAR(255),
                          type VARCHAR(255) NOT NULL,
                          headers TEXT,
                          payload %s NOT NULL,
                          created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                          sent_at TIMESTAMP NULL)""".formatted(
                        table,
                        isPostgres ? "BIGINT GENERATED ALWAYS AS IDENTITY" : "BIGINT AUTO_INCREMENT",
                        isPostgres ? "bytea" : "LONGBLOB"));
        outbox.database().execute("CREATE INDEX %s ON %s (status, id)".formatted(index, table));
    }

    /** Its table, as SQL names it. */
    public String table() {
        return table;
    }

    /** Inserts this many messages and sends them. */
    public Round drain(int messages, byte[] payload) throws Exception {
        seed(messages, payload);
        DrainTimer timer = new DrainTimer(messages);
        AtomicLong sent = new AtomicLong();
        send(message -> {}, rows -> timer.reached(sent.addAndGet(rows)));
        return timer.round(sent.get());
    }

    /** Sends the payloads of all messages that are in the table, and returns when there are no more. */
    public void send(Consumer<byte[]> destination) throws Exception {
        send(destination, rows -> {});
    }

    private void send(Consumer<byte[]> destination, IntConsumer committed) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Callable<Long>> work = Collections.nCopies(WORKERS, () -> drain(destination, committed));
            for (Future<Long> worker : workers.invokeAll(work)) {
                worker.get();
            }
        } finally {
            workers.shutdownNow();
        }
    }

    /** The same content as the outbox gets. */
    private void seed(int messages, byte[] payload) throws SQLException {
        outbox.seed(messages, payload);
        outbox.database().execute("""
                INSERT INTO %s (topic, message_key, type, headers, payload)
                SELECT topic, message_key, type, headers, payload FROM %s""".formatted(table, outbox.table()));
        outbox.empty();
    }

    private long drain(Consumer<byte[]> destination, IntConsumer committed) throws SQLException {
        long checksum = 0;
        try (Connection connection = outbox.database().connection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            List<Long> ids = new ArrayList<>();
            do {
                ids.clear();
                checksum += claim(connection, ids, destination);
                mark(connection, ids);
                connection.commit();
                committed.accept(ids.size());
            } while (!ids.isEmpty());
            connection.setAutoCommit(true);
        }
        return checksum;
    }

    /** Reads what a relay would need for sending, and sends the payload. */
    private long claim(Connection connection, List<Long> ids, Consumer<byte[]> destination) throws SQLException {
        long checksum = 0;
        try (PreparedStatement select = connection.prepareStatement(SELECT.formatted(table))) {
            select.setInt(1, BATCH);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong("id"));
                    byte[] payload = rows.getBytes("payload");
                    destination.accept(payload);
                    checksum += payload.length
                            + rows.getString("topic").length()
                            + rows.getString("message_key").length()
                            + rows.getString("type").length()
                            + rows.getString("headers").length();
                }
            }
        }
        return checksum;
    }

    private void mark(Connection connection, List<Long> ids) throws SQLException {
        if (marking == Marking.ROW_BY_ROW) {
            for (long id : ids) {
                update(connection, List.of(id));
            }
        } else if (!ids.isEmpty()) {
            update(connection, ids);
        }
    }

    private void update(Connection connection, List<Long> ids) throws SQLException {
        String list = String.join(", ", Collections.nCopies(ids.size(), "?"));
        try (PreparedStatement update = connection.prepareStatement(UPDATE.formatted(table, list))) {
            for (int i = 0; i < ids.size(); i++) {
                update.setLong(i + 1, ids.get(i));
            }
            update.executeUpdate();
        }
    }
}
