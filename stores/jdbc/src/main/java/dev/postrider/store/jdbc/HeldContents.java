package dev.postrider.store.jdbc;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads whole held messages, payloads included, of rows that were chosen before. */
final class HeldContents {

    private final JdbcContext context;
    private final MessageReader reader;

    HeldContents(JdbcContext context) {
        this.context = context;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** In the order of the rows; those that are gone are left out. */
    List<OutboxRow.Held> read(Connection connection, List<RowRef> refs) throws SQLException {
        Map<RowRef, OutboxRow.Held> found = new HashMap<>();
        for (List<RowRef> chunk : SqlList.chunks(refs, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "SELECT %s, h.attempts, h.last_error FROM %s h%s WHERE %s"
                    .formatted(
                            reader.columns("h"),
                            context.tables().held(),
                            context.dialect().rowsHint(),
                            predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(predicate).list(this::row).forEach(row -> found.put(row.ref(), row));
            }
        }
        return refs.stream().filter(found::containsKey).map(found::get).toList();
    }

    /** The same in transactions of its own, row by row where some make a statement fail. */
    List<OutboxRow.Held> readDamaged(List<RowRef> refs) {
        return DamagedRows.read(
                refs,
                some -> context.transactions().inTransaction("read held rows", connection -> read(connection, some)),
                HeldContents::damaged);
    }

    private static OutboxRow.Held damaged(RowRef ref, String reason) {
        OutboxMessage nothing = OutboxMessage.builder("?", ref::id).type("?").build();
        return new OutboxRow.Held(ref, nothing, Instant.EPOCH, 0, "", Optional.of(reason));
    }

    /** Nothing unreadable is ever put into held: if one is there, somebody has changed the row by hand. */
    private OutboxRow.Held row(ResultSet row) throws SQLException {
        RowContent content = reader.read(row);
        int attempts = row.getInt("attempts");
        return content instanceof RowContent.Readable held
                ? new OutboxRow.Held(held.ref(), held.message(), held.createdAt(), attempts, errorOf(row))
                : unreadable(
                        (RowContent.Unreadable) content,
                        ReadableParts.message(content.ref().id(), row),
                        attempts);
    }

    private static String errorOf(ResultSet row) throws SQLException {
        return Objects.requireNonNullElse(row.getString("last_error"), "");
    }

    private static OutboxRow.Held unreadable(RowContent.Unreadable content, OutboxMessage shown, int attempts) {
        return new OutboxRow.Held(
                content.ref(), shown, content.createdAt(), attempts, "", Optional.of(content.reason()));
    }
}
