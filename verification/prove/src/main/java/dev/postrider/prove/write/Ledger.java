package dev.postrider.prove.write;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * The business tables of a proof: a row to lock for each key, and a ledger of every message, written in the transaction that
 * enqueues it. So the ledger tells what was committed, also where a writer never learnt it. Stateless.
 *
 * @param name of the outbox, with which the names of its tables begin too: letters, digits and underscores, so that it needs no quotes
 */
public record Ledger(String name) {

    public void create(Connection connection) throws SQLException {
        execute(connection, "CREATE TABLE %s_prove_key (k VARCHAR(64) PRIMARY KEY, n BIGINT NOT NULL)");
        execute(
                connection,
                "CREATE TABLE %s_prove_ledger (id CHAR(36) PRIMARY KEY, topic VARCHAR(255) NOT NULL, k VARCHAR(64) NOT NULL, n BIGINT NOT NULL)");
    }

    /** Rows to lock, for keys that have none yet. */
    public void addKeys(Connection connection, Collection<String> keys) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql("INSERT INTO %s_prove_key (k, n) VALUES (?, 0)"))) {
            for (String key : keys) {
                statement.setString(1, key);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Locks the key until the end of the transaction and returns its count. */
    public long lock(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql("SELECT n FROM %s_prove_key WHERE k = ? FOR UPDATE"))) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    public void setCount(Connection connection, String key, long n) throws SQLException {
        update(connection, "UPDATE %s_prove_key SET n = ? WHERE k = ?", n, key);
    }

    public void record(Connection connection, Collection<LedgerEntry> entries) throws SQLException {
        List<Object> values = new ArrayList<>();
        entries.forEach(entry -> values.addAll(List.of(entry.id(), entry.topic(), entry.key(), entry.n())));
        String rows = String.join(", ", Collections.nCopies(entries.size(), "(?, ?, ?, ?)"));
        update(connection, "INSERT INTO %s_prove_ledger (id, topic, k, n) VALUES " + rows, values.toArray());
    }

    /** As somebody does who wants to know how much waits. */
    public void readOutbox(Connection connection) throws SQLException {
        execute(connection, "SELECT COUNT(*) FROM %s");
    }

    /** What was committed. */
    public List<LedgerEntry> entries(Connection connection) throws SQLException {
        List<LedgerEntry> entries = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql("SELECT id, topic, k, n FROM %s_prove_ledger"))) {
            while (rows.next()) {
                entries.add(new LedgerEntry(
                        rows.getString("id"), rows.getString("topic"), rows.getString("k"), rows.getLong("n")));
            }
        }
        return entries;
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
