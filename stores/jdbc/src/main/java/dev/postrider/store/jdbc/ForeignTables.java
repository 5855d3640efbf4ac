package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses tables that have the names of ours and belong to somebody else.
 *
 * <p>{@code CREATE TABLE IF NOT EXISTS} passes over such a table, and what comes after it would make an outbox that takes no message.
 */
final class ForeignTables {

    /** By suffix; columns that no other outbox has by chance, and that MySQL shows to a user with the smallest grants. */
    private static final Map<String, Set<String>> OUTBOX = Map.ofEntries(
            Map.entry("", Set.of("id", "topic", "message_key", "type", "headers", "content_type")),
            Map.entry("_lane", Set.of("lane", "owner", "epoch", "lease_until", "scan_position")),
            Map.entry("_held", Set.of("lane", "seq", "attempts", "next_attempt_at", "blocked")),
            Map.entry("_delayed", Set.of("due_at", "topic", "message_key")),
            Map.entry("_dead", Set.of("lane", "seq", "died_at", "retry_requested")),
            Map.entry("_member", Set.of("owner", "started_at", "heartbeat_at", "report")),
            Map.entry("_control", Set.of("kind", "name", "set_by", "set_at")),
            Map.entry("_operation", Set.of("operator", "action", "details", "affected")),
            Map.entry("_dedup", Set.of("dedup_key", "message_id", "created_at")),
            Map.entry("_task", Set.of("name", "owner", "lease_until")),
            Map.entry("_meta", Set.of("name", "value")),
            Map.entry("_sent", Set.of("lane", "seq", "topic", "delivered_at")));

    private static final Map<String, Set<String>> INBOX = Map.of(
            "", Set.of("consumer", "message_id", "handled_at"),
            "_meta", Set.of("name", "value"));

    private final JdbcContext context;
    private final String kind;
    private final Map<String, Set<String>> tables;

    private ForeignTables(JdbcContext context, String kind, Map<String, Set<String>> tables) {
        this.context = context;
        this.kind = kind;
        this.tables = tables;
    }

    static ForeignTables ofOutbox(JdbcContext context) {
        return new ForeignTables(context, "outbox", OUTBOX);
    }

    static ForeignTables ofInbox(JdbcContext context) {
        return new ForeignTables(context, "inbox", INBOX);
    }

    /** Before the first table is created: none of the names may be taken. */
    void requireFreeNames(Connection connection) throws SQLException {
        List<String> taken = new ArrayList<>();
        for (String suffix : new TreeSet<>(tables.keySet())) {
            TableName table = context.tables().named(suffix);
            if (context.dialect().exists(connection, table)) {
                taken.add(table.sql());
            }
        }
        if (!taken.isEmpty()) {
            throw refusal("There is a table %s already, but no %s that says how an %s was created"
                    .formatted(String.join(", ", taken), context.tables().meta().sql(), kind));
        }
    }

    /** A table that this user may not see counts as ours. */
    void requireOwn(Connection connection) throws SQLException {
        for (Map.Entry<String, Set<String>> table : tables.entrySet()) {
            requireOwn(connection, context.tables().named(table.getKey()), table.getValue());
        }
    }

    private void requireOwn(Connection connection, TableName table, Set<String> expected) throws SQLException {
        Set<String> present = context.dialect().columns(connection, table);
        Set<String> missing = new TreeSet<>(expected);
        present.forEach(name -> missing.remove(name.toLowerCase(Locale.ROOT)));
        if (!present.isEmpty() && !missing.isEmpty()) {
            throw refusal("Table %s is not that of an %s: it lacks %s"
                    .formatted(table.sql(), kind, String.join(", ", missing)));
        }
    }

    private SchemaException refusal(String found) {
        return new SchemaException(
                "%s. Nothing was changed. If the table belongs to another system, choose another prefix than %s for this %s"
                        .formatted(found, context.tables().prefix(), kind));
    }
}
