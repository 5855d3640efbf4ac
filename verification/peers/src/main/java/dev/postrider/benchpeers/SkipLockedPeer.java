package dev.postrider.benchpeers;

import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.SkipLockedRelay;
import dev.postrider.bench.store.SkipLockedRelay.Marking;
import dev.postrider.service.database.DatabaseKind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The relay that most teams write themselves, as the scenario {@code skip-locked} has it. */
final class SkipLockedPeer implements Peer {

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
        return "2 workers, 100 rows a transaction, index on status and id, UPDATE of each row, rows stay";
    }

    @Override
    public int divisor() {
        return 1;
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return kind != DatabaseKind.H2;
    }

    /** Empty: its table goes with the outbox beside it. */
    @Override
    public List<String> tables() {
        return List.of();
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) throws SQLException {
        BenchOutbox tables = database.openOutbox(settings -> {});
        SkipLockedRelay relay = new SkipLockedRelay(tables, "_usual", Marking.ROW_BY_ROW);
        return new Opened(tables, relay, deliveries, Executors.newSingleThreadExecutor());
    }

    private record Opened(BenchOutbox tables, SkipLockedRelay relay, Deliveries deliveries, ExecutorService thread)
            implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) throws SQLException {
            try (Connection connection = tables.database().connection();
                    PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO " + relay.table()
                                    + " (topic, message_key, type, headers, payload) VALUES ('orders', ?, 'OrderPlaced', '{}', ?)")) {
                connection.setAutoCommit(false);
                for (PeerMessage message : messages) {
                    insert.setString(1, message.key());
                    insert.setBytes(2, message.payload().getBytes(StandardCharsets.US_ASCII));
                    insert.addBatch();
                }
                insert.executeBatch();
                connection.commit();
            }
        }

        /** Its end is awaited by what arrives. */
        @Override
        public void deliver() {
            Callable<?> work = () -> {
                relay.send(payload -> deliveries.accept(new String(payload, StandardCharsets.US_ASCII)));
                return true;
            };
            Future<?> unused = thread.submit(work);
        }

        @Override
        public long pending() throws SQLException {
            return tables.database().number("SELECT count(*) FROM " + relay.table() + " WHERE status = 'PENDING'");
        }

        @Override
        public void close() {
            thread.shutdownNow();
            tables.close();
        }
    }
}
