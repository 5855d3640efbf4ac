package dev.postrider.benchpeers;

import dev.postrider.service.database.DatabaseKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The relay that most teams write themselves: a column with the status, and rows that stay. */
final class SkipLockedPeer implements Peer {

    private static final int WORKERS = 2;
    private static final int BATCH = 200;

    @Override
    public String name() {
        return "skip-locked";
    }

    @Override
    public String version() {
        return "by hand";
    }

    @Override
    public String settings() {
        return "%d workers, %d rows a transaction, index on status and id, UPDATE of each row in one JDBC batch"
                .formatted(WORKERS, BATCH);
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return kind != DatabaseKind.H2;
    }

    @Override
    public List<String> tables() {
        return List.of("status_outbox");
    }

    @Override
    public PeerOutbox open(PeerDatabase database, Deliveries deliveries) throws SQLException {
        boolean isPostgres = database.kind() == DatabaseKind.POSTGRES;
        database.execute("""
                CREATE TABLE status_outbox (
                  id %s PRIMARY KEY,
                  status VARCHAR(16) NOT NULL DEFAULT 'NEW',
                  message_key VARCHAR(255) NOT NULL,
                  payload TEXT NOT NULL,
                  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                  sent_at TIMESTAMP NULL)""".formatted(isPostgres ? "BIGINT GENERATED ALWAYS AS IDENTITY" : "BIGINT AUTO_INCREMENT"));
        database.execute("CREATE INDEX status_outbox_new ON status_outbox (status, id)");
        return new Opened(database, deliveries, Executors.newFixedThreadPool(WORKERS));
    }

    private record Opened(PeerDatabase database, Deliveries deliveries, ExecutorService workers) implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) throws SQLException {
            try (Connection connection = database.dataSource().getConnection();
                    PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO status_outbox (message_key, payload) VALUES (?, ?)")) {
                connection.setAutoCommit(false);
                for (PeerMessage message : messages) {
                    insert.setString(1, message.key());
                    insert.setString(2, message.payload());
                    insert.addBatch();
                }
                insert.executeBatch();
                connection.commit();
            }
        }

        @Override
        public void deliver() {
            for (int worker = 0; worker < WORKERS; worker++) {
                workers.execute(new SkipLockedWorker(database.dataSource(), BATCH, deliveries::accept));
            }
        }

        @Override
        public long pending() throws SQLException {
            return database.number("SELECT count(*) FROM status_outbox WHERE status = 'NEW'");
        }

        @Override
        public void close() {
            workers.shutdownNow();
        }
    }
}
