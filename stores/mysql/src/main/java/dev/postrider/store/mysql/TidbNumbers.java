package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.JdbcContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/** Checks that TiDB draws the seqs of the hot table in one place: by default each node hands out a block of its own. */
final class TidbNumbers {

    private static final Pattern ONE_PLACE = Pattern.compile("AUTO_ID_CACHE\\s*=?\\s*1\\b", Pattern.CASE_INSENSITIVE);

    private TidbNumbers() {}

    static void check(Connection connection, JdbcContext context) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SHOW CREATE TABLE " + context.tables().hot())) {
            row.next();
            check(row.getString(2), context.tables().hot().name());
        }
    }

    static void check(String createTable, String table) {
        if (!ONE_PLACE.matcher(createTable).find()) {
            throw new UnsupportedServerException("Table " + table
                    + " was created without AUTO_ID_CACHE 1, so seqs of different TiDB nodes say nothing about the order "
                    + "of messages. It cannot be changed: create a new outbox, with the SQL that schemaSql() returns");
        }
    }
}
