package dev.postrider.prove.run;

import dev.postrider.message.MessageId;
import dev.postrider.prove.check.Committed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The business tables of a proof: a row to lock for each key, and a ledger of every message, written in the transaction that
 * enqueues it. So the ledger tells what was committed, also where a writer never learnt it. Stateless.
 *
 * @param name validated by {@link ProofSettings}, so that it needs no quotes
 */
record Ledger(String name) {

    /** Where a message may wait. */
    private static final List<String> TABLES_OF_THE_OUTBOX = List.of("", "_held", "_delayed", "_dead");

    void create(Connection connection, Collection<String> keys) throws SQLException {
        execute(connection, "CREATE TABLE %s_prove_key (k VARCHAR(64) PRIMARY KEY, n BIGINT NOT NULL)");
        execute(
                connection,
                "CREATE TABLE %s_prove_ledger (id CHAR(36) PRIMARY KEY, k VARCHAR(64) NOT NULL, n BIGINT NOT NULL)");
        for (String key : keys) {
            update(connection, "INSERT INTO %s_prove_key (k, n) VALUES (?, 0)", key);
        }
    }

    /** Locks the key until the end of the transaction and returns its count. */
    long lock(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql("SELECT n FROM %s_prove_key WHERE k = ? FOR UPDATE"))) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    void setCount(Connection connection, String key, long n) throws SQLException {
        update(connection, "UPDATE %s_prove_key SET n = ? WHERE k = ?", n, key);
    }

    void record(Connection connection, List<Committed> messages) throws SQLException {
        List<Object> values = new ArrayList<>();
        messages.forEach(
                message -> values.addAll(List.of(message.id(), message.key().orElse(""), message.n())));
        String rows = String.join(", ", Collections.nCopies(messages.size(), "(?, ?, ?)"));
        update(connection, "INSERT INTO %s_prove_ledger (id, k, n) VALUES " + rows, values.toArray());
    }

    List<Committed> committed(Connection connection) throws SQLException {
        List<Committed> committed = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql("SELECT id, k, n FROM %s_prove_ledger"))) {
            while (rows.next()) {
                Optional<String> key = Optional.of(rows.getString(2)).filter(text -> !text.isEmpty());
                committed.add(new Committed(rows.getString(1), key, rows.getLong(3)));
            }
        }
        return committed;
    }

    /** The ids of all messages that wait in the outbox, dead letters included. */
    Set<String> undelivered(Connection connection) throws SQLException {
        Set<String> ids = new HashSet<>();
        for (String table : TABLES_OF_THE_OUTBOX) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM " + name + table)) {
                while (rows.next()) {
                    ids.add(id(rows.getObject(1)).toString());
                }
            }
        }
        return ids;
    }

    private static MessageId id(Object value) {
        return value instanceof byte[] bytes ? MessageId.fromBytes(bytes) : MessageId.parse(value.toString());
    }

    /** Drops everything whose name begins as that of this proof. */
    void drop(Connection connection) throws SQLException {
        for (String table : ownTables(connection)) {
            execute(connection, "DROP TABLE IF EXISTS " + table);
        }
        if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            for (String function : ownFunctions(connection)) {
                execute(connection, "DROP FUNCTION IF EXISTS " + function);
            }
        }
    }

    /** With their parameters, as PostgreSQL wants to have them named. */
    private List<String> ownFunctions(Connection connection) throws SQLException {
        List<String> functions = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT oid::regprocedure::text FROM pg_proc
                WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname::text, ?)""")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    functions.add(rows.getString(1));
                }
            }
        }
        return functions;
    }

    private List<String> ownTables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = connection
                .getMetaData()
                .getTables(connection.getCatalog(), connection.getSchema(), name + "%", new String[] {"TABLE"})) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME");
                // In a pattern, the underscores of the name stand for any character.
                if (table.startsWith(name)) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private void execute(Connection connection, String statement) throws SQLException {
        try (Statement executed = connection.createStatement()) {
            executed.execute(sql(statement));
        }
    }

    private void update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(sql))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.executeUpdate();
        }
    }

    private String sql(String template) {
        return template.replace("%s", name);
    }
}
