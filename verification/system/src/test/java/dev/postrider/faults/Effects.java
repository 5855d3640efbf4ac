package dev.postrider.faults;

import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.write.LedgerEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** What consumers have done, one row each time; nothing in the table itself keeps it from happening twice. */
record Effects(DataSource dataSource) {

    void create() {
        Sql sql = new Sql(dataSource);
        sql.execute(
                "CREATE TABLE effect (place BIGSERIAL PRIMARY KEY, id CHAR(36) NOT NULL, topic VARCHAR(64) NOT NULL,"
                        + " k VARCHAR(64) NOT NULL, n BIGINT NOT NULL)");
        sql.execute("CREATE TABLE duplicate (id CHAR(36) NOT NULL)");
    }

    /** Changes the database as a handler would, in its transaction. */
    static void record(Connection connection, OutboxMessage message) throws SQLException {
        Sql.update(
                connection,
                "INSERT INTO effect (id, topic, k, n) VALUES (?, ?, ?, ?)",
                message.id().toString(),
                message.topic(),
                message.key().orElse(""),
                Wire.count(message.payload()));
    }

    /** The inbox has recognised one. */
    void countDuplicate(OutboxMessage message) {
        new Sql(dataSource)
                .execute("INSERT INTO duplicate (id) VALUES (?)", message.id().toString());
    }

    long duplicates() {
        return new Sql(dataSource).number("SELECT count(*) FROM duplicate");
    }

    long different() {
        return new Sql(dataSource).number("SELECT count(DISTINCT id) FROM effect");
    }

    /** All of them, in the order in which they happened. */
    List<LedgerEntry> all() {
        return new Sql(dataSource)
                .list(
                        "SELECT id, topic, k, n FROM effect ORDER BY place",
                        row -> new LedgerEntry(
                                row.getString("id"), row.getString("topic"), row.getString("k"), row.getLong("n")));
    }
}
