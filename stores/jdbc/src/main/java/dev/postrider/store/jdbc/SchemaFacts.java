package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The meta table: what was created, so that a store that does not fit refuses to start. */
final class SchemaFacts {

    static final String VERSION = "schema_version";

    /** The lowest version whose stores work on these tables as well. */
    static final String READABLE_FROM = "readable_from";

    static final String LANES = "lane_count";
    static final String PAYLOAD = "payload_format";
    static final String AUDIT = "audit";

    private final JdbcContext context;
    private final String value;

    SchemaFacts(JdbcContext context) {
        this.context = context;
        // A reserved word in some databases.
        this.value = context.dialect().quote("value");
    }

    /** Empty when the table does not exist. */
    Optional<Map<String, String>> read(Connection connection) throws SQLException {
        if (!context.dialect().exists(connection, context.tables().meta())) {
            return Optional.empty();
        }
        String sql = "SELECT name, %s AS fact FROM %s"
                .formatted(value, context.tables().meta());
        Map<String, String> facts = new HashMap<>();
        try (SqlStatement statement = context.prepare(connection, sql)) {
            statement.list(row -> facts.put(row.getString("name"), row.getString("fact")) == null);
        }
        return Optional.of(facts);
    }

    void write(Connection connection, String name, String fact) throws SQLException {
        String update =
                "UPDATE %s SET %s = ? WHERE name = ?".formatted(context.tables().meta(), value);
        try (SqlStatement statement = context.prepare(connection, update)) {
            if (statement.with(fact).with(name).update() == 1) {
                return;
            }
        }
        String insert = context.dialect()
                .insertIfAbsent(context.tables().meta().sql(), List.of("name", value), List.of("?", "?"));
        try (SqlStatement statement = context.prepare(connection, insert)) {
            context.insertIfAbsent(statement.with(name).with(fact));
        }
    }

    /** A changed fact as plain SQL. */
    String updateSql(String name, String fact) {
        return "UPDATE %s SET %s = '%s' WHERE name = '%s'"
                .formatted(context.tables().meta(), value, fact, name);
    }

    /** As plain SQL, for people who run the schema by other means. */
    String insertSql(Map<String, String> facts) {
        List<String> rows = facts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(fact -> "  ('" + fact.getKey() + "', '" + fact.getValue() + "')")
                .toList();
        return "INSERT INTO %s (name, %s) VALUES\n%s"
                .formatted(context.tables().meta(), value, String.join(",\n", rows));
    }
}
