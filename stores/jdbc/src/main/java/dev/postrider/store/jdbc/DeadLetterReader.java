package dev.postrider.store.jdbc;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadLetters.RawContent;
import dev.postrider.spi.DeadReason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/** Turns rows of the dead table into dead letters; one that cannot be read as a message is shown as far as it can. */
final class DeadLetterReader {

    private final Dialect dialect;
    private final MessageReader reader;

    DeadLetterReader(JdbcContext context) {
        this.dialect = context.dialect();
        this.reader = new MessageReader(dialect, context.limits());
    }

    String columns(String alias) {
        return reader.columns(alias)
                + ", %1$s.reason, %1$s.attempts, %1$s.last_error, %1$s.first_failed_at, %1$s.died_at, %1$s.retry_requested"
                        .formatted(alias);
    }

    DeadLetter read(ResultSet row) throws SQLException {
        String error = row.getString("last_error");
        RowContent content = reader.read(row);
        return new DeadLetter(
                content.ref(),
                message(content, row),
                reason(row.getString("reason")),
                row.getInt("attempts"),
                error == null ? "" : error,
                content.createdAt(),
                row.getObject("first_failed_at") == null
                        ? Optional.empty()
                        : Optional.of(dialect.getInstant(row, row.findColumn("first_failed_at"))),
                dialect.getInstant(row, row.findColumn("died_at")),
                row.getBoolean("retry_requested"),
                content instanceof RowContent.Readable);
    }

    boolean isReadable(ResultSet row) throws SQLException {
        return reader.read(row) instanceof RowContent.Readable;
    }

    /** Byte for byte, whatever the limits. */
    RawContent raw(ResultSet row) throws SQLException {
        byte[] payload = dialect.getPayload(row, row.findColumn("payload"));
        return new RawContent(payload == null ? new byte[0] : payload, Optional.ofNullable(row.getBytes("headers")));
    }

    static DeadReason reason(String stored) {
        return Arrays.stream(DeadReason.values())
                .filter(reason -> reason.name().equals(stored))
                .findFirst()
                .orElse(DeadReason.OTHER);
    }

    private static OutboxMessage message(RowContent content, ResultSet row) throws SQLException {
        return content instanceof RowContent.Readable readable
                ? readable.message()
                : ReadableParts.message(content.ref().id(), row);
    }
}
