package dev.postrider.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;

/**
 * The business tables of the writers: a row to lock for each key, and a ledger of every message, written in the transaction
 * that enqueues it. So the ledger tells what was committed, also where a writer does not know.
 */
record Ledger(DataSource dataSource) {

    void create() {
        Sql sql = new Sql(dataSource);
        sql.execute("CREATE TABLE business (k VARCHAR(64) PRIMARY KEY, n BIGINT NOT NULL)");
        sql.execute("CREATE TABLE ledger (id CHAR(36) PRIMARY KEY, topic VARCHAR(64) NOT NULL,"
                + " k VARCHAR(64) NOT NULL, n BIGINT NOT NULL)");
    }

    void addKeys(WriterPlan plan) {
        for (int key = 0; key < plan.keys(); key++) {
            new Sql(dataSource).execute("INSERT INTO business (k, n) VALUES (?, 0)", plan.key(key));
        }
    }

    List<Sent> committed() {
        return new Sql(dataSource)
                .list(
                        "SELECT id, topic, k, n FROM ledger",
                        row -> new Sent(
                                row.getString("id"), row.getString("topic"), row.getString("k"), row.getLong("n")));
    }

    /** Locks the key until the end of the transaction and returns its count. */
    static long lock(Connection connection, String key) throws SQLException {
        return Sql.list(connection, "SELECT n FROM business WHERE k = ? FOR UPDATE", row -> row.getLong(1), key)
                .get(0);
    }

    static void setCount(Connection connection, String key, long n) throws SQLException {
        Sql.update(connection, "UPDATE business SET n = ? WHERE k = ?", n, key);
    }

    static void record(Connection connection, Collection<Sent> messages) throws SQLException {
        List<Object> values = new ArrayList<>();
        messages.forEach(message -> values.addAll(List.of(message.id(), message.topic(), message.key(), message.n())));
        String rows = String.join(", ", Collections.nCopies(messages.size(), "(?, ?, ?, ?)"));
        Sql.update(connection, "INSERT INTO ledger (id, topic, k, n) VALUES " + rows, values.toArray());
    }
}
