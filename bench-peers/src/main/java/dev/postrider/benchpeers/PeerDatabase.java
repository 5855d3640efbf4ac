package dev.postrider.benchpeers;

import dev.postrider.service.database.DatabaseKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Where peers make their tables, with a pool that all share.
 *
 * @param kind which database it is
 * @param dataSource the pool
 */
record PeerDatabase(DatabaseKind kind, DataSource dataSource) {

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The one number that a query answers. */
    long number(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Peers choose the names of their tables themselves, so somebody else's may be there. */
    void requireAbsent(List<String> tables) throws SQLException {
        for (String table : tables) {
            if (exists(table)) {
                throw new IllegalStateException("There is a table " + table
                        + " already, which the benchmark would make and drop: give it an empty database");
            }
        }
    }

    private boolean exists(String table) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                ResultSet rows = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), null, new String[] {"TABLE"})) {
            while (rows.next()) {
                if (rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT).equals(table.toLowerCase(Locale.ROOT))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Lets the planner know the backlog, which a busy table's statistics would tell. */
    void analyze(List<String> tables) throws SQLException {
        for (String table : tables) {
            if (exists(table)) {
                execute((kind == DatabaseKind.POSTGRES ? "ANALYZE " : "ANALYZE TABLE ") + table);
            }
        }
    }

    void drop(List<String> tables) throws SQLException {
        for (String table : tables) {
            execute("DROP TABLE IF EXISTS " + table + (kind == DatabaseKind.POSTGRES ? " CASCADE" : ""));
        }
    }
}
