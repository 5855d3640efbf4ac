package dev.postrider.service.database;

import dev.postrider.message.MessageId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

/** Reads and binds ids and times, which MySQL and MariaDB store without a type of their own: ids as bytes, times in UTC without saying so. */
final class Columns {

    private Columns() {}

    static MessageId id(ResultSet row) throws SQLException {
        Object bits = row.getObject("id");
        MessageId id = bits instanceof UUID uuid ? MessageId.fromUuid(uuid) : MessageId.fromBytes(row.getBytes("id"));
        String foreign = row.getString("foreign_id");
        return foreign == null ? id : id.withText(foreign);
    }

    static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        if (hasPlainTypes(row.getStatement().getConnection())) {
            return Optional.ofNullable(row.getObject(column, LocalDateTime.class))
                    .map(time -> time.toInstant(ZoneOffset.UTC));
        }
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    /** What is bound for a time. */
    static Object bound(Connection connection, Instant moment) throws SQLException {
        OffsetDateTime utc = moment.atOffset(ZoneOffset.UTC);
        return hasPlainTypes(connection) ? utc.toLocalDateTime() : utc;
    }

    /** What is bound for an id. */
    static Object bound(Connection connection, MessageId id) throws SQLException {
        return hasPlainTypes(connection) ? id.toBytes() : id.toUuid();
    }

    static void setId(PreparedStatement statement, int index, MessageId id) throws SQLException {
        statement.setObject(index, bound(statement.getConnection(), id));
    }

    private static boolean hasPlainTypes(Connection connection) throws SQLException {
        return "`".equals(connection.getMetaData().getIdentifierQuoteString().strip());
    }
}
