package dev.postrider.store.existing;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Ordering;
import dev.postrider.store.existing.Candidates.Candidate;
import dev.postrider.store.existing.Rows.WholeRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds pending rows of tables between which rows move, and reads them. What the metadata say is taken out by the relay; the database looks into
 * them only for a condition.
 */
final class MoveFinder {

    private final Database database;
    private final MovePaths paths;
    private final MoveHeads heads;
    private final boolean isLenient;

    MoveFinder(Database database, MovePaths paths, MoveHeads heads, boolean isLenient) {
        this.database = database;
        this.paths = paths;
        this.heads = heads;
        this.isLenient = isLenient;
    }

    List<Candidate> candidates(Connection connection, RowQuery find, long smallBytes) throws SQLException {
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(heads.selectSmall(), pending()), smallBytes, smallBytes);
        if (!find.excludedTopics().isEmpty()) {
            sql.add("AND %s NOT IN".formatted(database.exact(heads.topic())))
                    .addList(database.exactParameters(find.excludedTopics()));
        }
        skip(sql, find.skipped());
        if (paths.waiting().isEmpty()) {
            skipKeys(sql, find);
        } else if (find.ordering() == Ordering.PER_KEY) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s = %s)"
                    .formatted(waiting(), exactKey("w"), exactKey("t")));
        } else if (find.ordering() == Ordering.GLOBAL) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w)".formatted(waiting()));
        }
        return sql.add("ORDER BY t.id LIMIT ?", find.limit()).list(connection, row -> candidate(row, smallBytes));
    }

    private Candidate candidate(ResultSet row, long smallBytes) throws SQLException {
        long bytes = row.getLong("row_bytes");
        boolean isWhole = !row.wasNull() && bytes <= smallBytes;
        return new Candidate(
                RowKey.read(row, "row_key", ColumnKind.BYTES),
                Optional.empty(),
                bytes,
                isWhole ? Optional.of(wholeRow(row)) : Optional.empty());
    }

    Map<RowKey, WholeRow> whole(Connection connection, List<RowKey> keys) throws SQLException {
        Map<RowKey, WholeRow> whole = new HashMap<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            Sql.of("%s FROM %s t WHERE t.id IN".formatted(heads.selectWhole(), pending()))
                    .addList(RowKey.parameters(some))
                    .list(connection, this::wholeRow)
                    .forEach(row -> whole.put(row.head().key(), row));
        }
        return whole;
    }

    private WholeRow wholeRow(ResultSet row) throws SQLException {
        String json = row.getString("metadata");
        byte[] data = row.getBytes("data");
        try {
            CloudMetadata metadata = CloudMetadata.read(json == null ? "null" : json);
            Head head = heads.head(row, metadata);
            return WholeRow.of(head, () -> message(head, metadata, data));
        } catch (InvalidMessageException problem) {
            return new WholeRow(heads.head(row, CloudMetadata.NONE), () -> {
                throw problem;
            });
        }
    }

    List<Head> heads(Connection connection, List<RowKey> keys) throws SQLException {
        List<Head> found = new ArrayList<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            found.addAll(Sql.of("%s FROM %s t WHERE t.id IN".formatted(heads.select(), pending()))
                    .addList(RowKey.parameters(some))
                    .list(connection, MoveHeads::head));
        }
        return found;
    }

    /** What waits is known to the relay alone. */
    private void skipKeys(Sql sql, RowQuery find) {
        if (!find.skippedKeys().isEmpty()) {
            sql.add("AND (%s IS NULL OR %s NOT IN".formatted(heads.key("t"), exactKey("t")))
                    .addList(database.exactParameters(find.skippedKeys()))
                    .add(")");
        }
    }

    private static void skip(Sql sql, Collection<RowKey> skipped) {
        for (List<RowKey> some : RowKey.chunks(List.copyOf(skipped))) {
            sql.add("AND t.id NOT IN").addList(RowKey.parameters(some));
        }
    }

    List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(heads.select(), pending()));
        skip(sql, skipped);
        return sql.add("ORDER BY t.id LIMIT ? FOR UPDATE", limit).list(connection, MoveHeads::head);
    }

    OutboxMessage message(Head head, CloudMetadata metadata, byte[] data) {
        OutboxMessage.Builder message = OutboxMessage.builder(head.topic())
                .id(head.checkedId())
                .type(metadata.type())
                .headers(metadata.headers(isLenient))
                .payload(data);
        metadata.contentType().ifPresent(message::contentType);
        head.messageKey().ifPresent(message::key);
        return message.build();
    }

    private String exactKey(String alias) {
        return database.exact(heads.key(alias));
    }

    private String pending() {
        return paths.pending().sql(database);
    }

    private String waiting() {
        return paths.waiting().orElseThrow().sql(database);
    }
}
