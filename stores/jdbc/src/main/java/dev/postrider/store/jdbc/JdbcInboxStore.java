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

    JdbcInboxStore(JdbcContext context) {
        this.context = context;
        this.insert = context.dialect()
                .insertIfAbsent(
                        context.tables().named("").sql(),
                        List.of("consumer", "message_id", "handled_at"),
                        List.of("?", "?", context.dialect().now()));
    }

    @Override
    public String name() {
        return context.tables().outboxName();
    }

    @Override
    public boolean record(Connection connection, String consumer, MessageId message) {
        try (SqlStatement statement = context.prepare(connection, insert)) {
            return context.insertIfAbsent(statement.with(consumer).with(message));
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
