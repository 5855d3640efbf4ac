package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.message.MessageId;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads the audit trail of an outbox, without payloads. Thread-safe. */
public final class DeliveredMessages {

    private static final String SELECT = """
            SELECT lane, seq, id, foreign_id, topic, message_key, type, created_at, delivered_at FROM %s
            WHERE delivered_at >= ? ORDER BY delivered_at, lane, seq""";

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
            statement.setObject(1, moment(connection, moment));
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

    /** MySQL and MariaDB store times in UTC without saying so; the others with their zone. */
    private static Object moment(Connection connection, Instant moment) throws SQLException {
        OffsetDateTime utc = moment.atOffset(ZoneOffset.UTC);
        return "`".equals(connection.getMetaData().getIdentifierQuoteString().strip()) ? utc.toLocalDateTime() : utc;
    }

    private static Delivered read(ResultSet row) throws SQLException {
        return new Delivered(
                id(row),
                row.getInt("lane"),
                row.getLong("seq"),
                row.getString("topic"),
                Optional.ofNullable(row.getString("message_key")),
                row.getString("type"),
                instant(row, "created_at"),
                instant(row, "delivered_at"));
    }

    private static MessageId id(ResultSet row) throws SQLException {
        Object bits = row.getObject("id");
        MessageId id = bits instanceof UUID uuid ? MessageId.fromUuid(uuid) : MessageId.fromBytes(row.getBytes("id"));
        String foreign = row.getString("foreign_id");
        return foreign == null ? id : id.withText(foreign);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return "`"
                        .equals(row.getStatement()
                                .getConnection()
                                .getMetaData()
                                .getIdentifierQuoteString()
                                .strip())
                ? row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC)
                : row.getObject(column, OffsetDateTime.class).toInstant();
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
