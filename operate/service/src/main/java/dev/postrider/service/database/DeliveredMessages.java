package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.message.MessageId;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads the audit trail of an outbox, without payloads. Thread-safe. */
public final class DeliveredMessages {

    private static final String SELECT = """
        SELECT lane, seq, id, foreign_id, topic, message_key, type, created_at, delivered_at FROM %s
        WHERE delivered_at >= ? ORDER BY delivered_at, lane, seq\
        """;

    private final DataSource dataSource;
    private final StoreSettings settings;

    public DeliveredMessages(DataSource dataSource, StoreSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /** What was delivered since then, oldest first, by the database's clock. */
    public List<Delivered> since(Instant moment, int limit) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(SELECT.formatted(SqlTable.of(connection, settings, "_sent")))) {
            connection.setAutoCommit(true);
            statement.setObject(1, Columns.bound(connection, moment));
            statement.setMaxRows(limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<Delivered> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(read(rows));
                }
                return found;
            }
        } catch (SQLException failure) {
            throw new StoreException(
                    "Could not read the audit trail: " + SafeText.of(String.valueOf(failure.getMessage())), failure);
        }
    }

    private static Delivered read(ResultSet row) throws SQLException {
        return new Delivered(
                Columns.id(row),
                row.getInt("lane"),
                row.getLong("seq"),
                row.getString("topic"),
                Optional.ofNullable(row.getString("message_key")),
                row.getString("type"),
                Columns.instant(row, "created_at").orElseThrow(),
                Columns.instant(row, "delivered_at").orElseThrow());
    }

    /** A message that was delivered. */
    public record Delivered(
            MessageId id,
            int lane,
            long seq,
            String topic,
            Optional<String> key,
            String type,
            Instant createdAt,
            Instant deliveredAt) {}
}
