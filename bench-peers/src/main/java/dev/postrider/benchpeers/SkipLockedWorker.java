package dev.postrider.benchpeers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Claims, sends and marks rows, in one transaction for each batch, until none is left. Used by one thread. */
final class SkipLockedWorker implements Runnable {

    /** The lock keeps the other worker away from the rows until they are marked; the index gives them in order without a sort. */
    private static final String CLAIM = """
            SELECT id, message_key, payload FROM status_outbox
            WHERE status = 'NEW' ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED""";

    private static final String MARK =
            "UPDATE status_outbox SET status = 'SENT', sent_at = CURRENT_TIMESTAMP WHERE id = ?";

    private final DataSource dataSource;
    private final int batch;
    private final Consumer<String> destination;

    SkipLockedWorker(DataSource dataSource, int batch, Consumer<String> destination) {
        this.dataSource = dataSource;
        this.batch = batch;
        this.destination = destination;
    }

    @Override
    public void run() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            List<Long> sent;
            do {
                sent = send(connection);
                mark(connection, sent);
                connection.commit();
            } while (!sent.isEmpty());
        } catch (SQLException failed) {
            throw new IllegalStateException("The worker has failed", failed);
        }
    }

    private List<Long> send(Connection connection) throws SQLException {
        List<Long> sent = new ArrayList<>(batch);
        try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            claim.setInt(1, batch);
            try (ResultSet rows = claim.executeQuery()) {
                while (rows.next()) {
                    destination.accept(rows.getString("payload"));
                    sent.add(rows.getLong("id"));
                }
            }
        }
        return sent;
    }

    private static void mark(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement mark = connection.prepareStatement(MARK)) {
            for (long id : ids) {
                mark.setLong(1, id);
                mark.addBatch();
            }
            mark.executeBatch();
        }
    }
}
