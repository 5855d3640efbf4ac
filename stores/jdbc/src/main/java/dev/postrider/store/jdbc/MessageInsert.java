package dev.postrider.store.jdbc;

import dev.postrider.internal.HeaderJson;
import dev.postrider.message.Due;
import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes messages through the caller's connection: dedup keys first, then the hot rows, then the delayed ones.
 *
 * <p>The hot rows are one statement, unless there are very many or they are very large; then a few, in order.
 */
final class MessageInsert {

    /** Below the parameter limits of every driver and the packet limits of every server. */
    private static final int MAX_ROWS = 500;

    private final JdbcContext context;
    private final DedupKeys dedupKeys;

    MessageInsert(JdbcContext context) {
        this.context = context;
        this.dedupKeys = new DedupKeys(context);
    }

    List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        try {
            boolean hasDedupKeys =
                    messages.stream().anyMatch(message -> message.dedupKey().isPresent());
            List<OutboxMessage> fresh = hasDedupKeys ? dedupKeys.claim(connection, messages) : messages;
            insertHot(connection, fresh.stream().filter(MessageInsert::isDueNow).toList());
            insertDelayed(connection, fresh.stream().filter(m -> !isDueNow(m)).toList());
            return fresh;
        } catch (SQLException error) {
            throw context.errors().translate("insert " + messages.size() + " message(s)", error);
        }
    }

    private static boolean isDueNow(OutboxMessage message) {
        return message.due() instanceof Due.Now;
    }

    private void insertHot(Connection connection, List<OutboxMessage> messages) throws SQLException {
        for (List<OutboxMessage> chunk : chunks(messages)) {
            Columns columns = columnsFor(chunk);
            String sql = "INSERT INTO %s (%s) VALUES %s"
                    .formatted(
                            context.tables().hot(),
                            columns.names(),
                            SqlList.of("(" + columns.parameters() + ")", chunk.size()));
            try (SqlStatement statement = context.prepare(connection, sql)) {
                for (OutboxMessage message : chunk) {
                    bind(statement, message, columns);
                }
                statement.update();
            }
        }
    }

    private void insertDelayed(Connection connection, List<OutboxMessage> messages) throws SQLException {
        for (List<OutboxMessage> chunk : chunks(messages)) {
            Columns columns = columnsFor(chunk);
            List<String> rows = chunk.stream()
                    .map(message -> "(" + columns.parameters() + ", " + dueParameter(message.due()) + ")")
                    .toList();
            String sql = "INSERT INTO %s (%s, due_at) VALUES %s"
                    .formatted(context.tables().delayed(), columns.names(), String.join(", ", rows));
            try (SqlStatement statement = context.prepare(connection, sql)) {
                for (OutboxMessage message : chunk) {
                    bindDue(bind(statement, message, columns), message.due());
                }
                statement.update();
            }
        }
    }

    /** Ids of our own need no column for a text, and their statement stays as short as it can be. */
    private Columns columnsFor(List<OutboxMessage> messages) {
        Dialect dialect = context.dialect();
        boolean hasForeignIds =
                messages.stream().anyMatch(message -> message.id().foreignText().isPresent());
        String names = (dialect.computesLane() ? "" : "lane, ")
                + "id, topic, message_key, type, headers, content_type, payload"
                + (hasForeignIds ? ", foreign_id" : "")
                + (dialect.fillsCreatedAt() ? "" : ", created_at");
        String parameters = (dialect.computesLane() ? "" : "?, ")
                + "?, ?, ?, ?, " + dialect.headersParameter() + ", ?, " + dialect.payloadParameter()
                + (hasForeignIds ? ", ?" : "")
                + (dialect.fillsCreatedAt() ? "" : ", " + dialect.now());
        return new Columns(names, parameters, hasForeignIds);
    }

    private SqlStatement bind(SqlStatement statement, OutboxMessage message, Columns columns) throws SQLException {
        if (!context.dialect().computesLane()) {
            statement.with(Lane.of(message, context.options().lanes()));
        }
        statement
                .with(message.id())
                .with(message.topic())
                .with(message.key())
                .with(message.type())
                .with(
                        message.headers().isEmpty()
                                ? null
                                : HeaderJson.write(message.headers().asMap()))
                .with(message.contentType())
                .withPayload(message.payload());
        return columns.hasForeignIds() ? statement.with(message.id().foreignText()) : statement;
    }

    private String dueParameter(Due due) {
        return due instanceof Due.At ? "?" : context.dialect().nowPlusMicros();
    }

    private static void bindDue(SqlStatement statement, Due due) throws SQLException {
        if (due instanceof Due.At at) {
            statement.with(Micros.bounded(at.instant()));
        } else if (due instanceof Due.After after) {
            statement.with(after.delay());
        }
    }

    private List<List<OutboxMessage>> chunks(List<OutboxMessage> messages) {
        List<List<OutboxMessage>> chunks = new ArrayList<>();
        long bytes = Long.MAX_VALUE;
        for (OutboxMessage message : messages) {
            boolean full = bytes > context.dialect().maxInsertBytes()
                    || chunks.get(chunks.size() - 1).size() == MAX_ROWS;
            if (full) {
                chunks.add(new ArrayList<>());
                bytes = 0;
            }
            chunks.get(chunks.size() - 1).add(message);
            bytes += message.payload().length + headerLength(message);
        }
        return chunks;
    }

    private static long headerLength(OutboxMessage message) {
        return message.headers().asMap().entrySet().stream()
                .mapToLong(
                        header -> header.getKey().length() + header.getValue().length())
                .sum();
    }

    /** The columns of an insert, and what stands for one row. */
    private record Columns(String names, String parameters, boolean hasForeignIds) {}
}
