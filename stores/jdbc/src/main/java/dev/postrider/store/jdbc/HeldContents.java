package dev.postrider.store.jdbc;

import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads whole held messages, payloads included, of rows that were chosen before. */
final class HeldContents {

    private static final Logger LOG = LoggerFactory.getLogger(HeldContents.class);

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
                statement.with(predicate).list(this::message).forEach(row -> row.ifPresent(r -> found.put(r.ref(), r)));
            }
        }
        return refs.stream().filter(found::containsKey).map(found::get).toList();
    }

    private Optional<OutboxRow.Held> message(ResultSet row) throws SQLException {
        RowContent content = reader.read(row);
        if (content instanceof RowContent.Readable held) {
            String error = row.getString("last_error");
            return Optional.of(new OutboxRow.Held(
                    held.ref(), held.message(), held.createdAt(), row.getInt("attempts"), error == null ? "" : error));
        }
        // Nothing unreadable is ever put into held: somebody has changed the row by hand.
        LOG.error(
                "Held message {} of lane {} cannot be read any more and stays held; repair or delete its row",
                content.ref().id(),
                content.ref().lane());
        return Optional.empty();
    }
}
