package dev.postrider.store.jdbc;

import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Claims dedup keys in the caller's transaction.
 *
 * <p>The primary key of the dedup table decides: a second writer waits for the first one's end, and then finds the key taken
 * or free. One statement per key, since only its own row count says whether it was taken; in the order of the keys, so that
 * two writers with the same keys cannot block each other.
 */
final class DedupKeys {

    private final JdbcContext context;
    private final String claim;

    DedupKeys(JdbcContext context) {
        this.context = context;
        this.claim = context.dialect()
                .insertIfAbsent(
                        context.tables().dedup().sql(),
                        List.of("dedup_key", "message_id", "created_at"),
                        List.of("?", "?", context.dialect().now()));
    }

    /** The messages without a dedup key and those whose key was free, in the given order. */
    List<OutboxMessage> claim(Connection connection, List<OutboxMessage> messages) throws SQLException {
        Set<Integer> known = new HashSet<>();
        for (int index : indexesByKey(messages)) {
            if (!claimed(connection, messages.get(index))) {
                known.add(index);
            }
        }
        return known.isEmpty() ? messages : without(messages, known);
    }

    private static List<Integer> indexesByKey(List<OutboxMessage> messages) {
        return IntStream.range(0, messages.size())
                .filter(index -> messages.get(index).dedupKey().isPresent())
                .boxed()
                .sorted(Comparator.comparing(
                        index -> messages.get(index).dedupKey().orElseThrow()))
                .toList();
    }

    private boolean claimed(Connection connection, OutboxMessage message) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, claim)) {
            return context.insertIfAbsent(statement.with(message.dedupKey()).with(message.id()));
        }
    }

    private static List<OutboxMessage> without(List<OutboxMessage> messages, Set<Integer> known) {
        return IntStream.range(0, messages.size())
                .filter(index -> !known.contains(index))
                .mapToObj(messages::get)
                .toList();
    }
}
