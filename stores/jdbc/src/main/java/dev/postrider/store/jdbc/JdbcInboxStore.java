package dev.postrider.store.jdbc;

import dev.postrider.message.MessageId;
import dev.postrider.spi.InboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * One table whose primary key decides: a second transaction that inserts the same pair waits for the first one's end, and then finds it
 * taken or free.
 */
final class JdbcInboxStore implements InboxStore {

    private final JdbcContext context;
    private final String insert;
    private final String insertForeign;

    JdbcInboxStore(JdbcContext context) {
        this.context = context;
        this.insert = insert(List.of("consumer", "message_id", "handled_at"), List.of("?", "?", now()));
        this.insertForeign =
                insert(List.of("consumer", "message_id", "foreign_id", "handled_at"), List.of("?", "?", "?", now()));
    }

    private String insert(List<String> columns, List<String> values) {
        return context.dialect().insertIfAbsent(context.tables().named("").sql(), columns, values);
    }

    private String now() {
        return context.dialect().now();
    }

    @Override
    public String name() {
        return context.tables().outboxName();
    }

    @Override
    public boolean record(Connection connection, String consumer, MessageId message) {
        boolean isForeign = message.foreignText().isPresent();
        try (SqlStatement statement = context.prepare(connection, isForeign ? insertForeign : insert)) {
            statement.with(consumer).with(message);
            return context.insertIfAbsent(isForeign ? statement.with(message.foreignText()) : statement);
        } catch (SQLException error) {
            throw context.errors().translate("record message " + message + " for " + consumer, error);
        }
    }

    @Override
    public int forget(Duration olderThan, int limit) {
        return context.longTransactions()
                .inTransaction(
                        "delete old messages",
                        connection -> context.dialect()
                                .deleteOlder(connection, context.tables().named(""), "handled_at", olderThan, limit));
    }
}
