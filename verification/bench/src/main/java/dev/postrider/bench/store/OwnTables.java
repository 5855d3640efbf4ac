package dev.postrider.bench.store;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.service.database.DatabaseKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds and drops what begins with the name of a benchmark's outbox. Stateless. */
public final class OwnTables {

    private OwnTables() {}

    /** Drops the table of this name, and all that begin with it and an underscore. */
    public static void drop(BenchDatabase database, String prefix) {
        try (Connection connection = database.connection();
                Statement statement = connection.createStatement()) {
            for (String table : find(connection, prefix)) {
                statement.execute("DROP TABLE IF EXISTS " + database.quote() + table + database.quote());
            }
            if (database.kind() == DatabaseKind.POSTGRES) {
                for (String function : functions(connection, prefix)) {
                    statement.execute("DROP FUNCTION IF EXISTS " + function);
                }
            }
        } catch (SQLException failed) {
            throw new BenchException("Could not drop the tables whose names begin with " + prefix, failed);
        }
    }

    private static List<String> find(Connection connection, String prefix) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = connection
                .getMetaData()
                .getTables(connection.getCatalog(), connection.getSchema(), null, new String[] {"TABLE"})) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME");
                if (isOf(prefix, table.toLowerCase(Locale.ROOT))) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    /** With their parameters, as PostgreSQL wants to have them named. */
    private static List<String> functions(Connection connection, String prefix) throws SQLException {
        List<String> functions = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT oid::regprocedure::text FROM pg_proc
                WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname::text, ?)""")) {
            statement.setString(1, prefix + "_");
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    functions.add(rows.getString(1));
                }
            }
        }
        return functions;
    }

    private static boolean isOf(String prefix, String table) {
        return table.equals(prefix) || table.startsWith(prefix + "_");
    }
}
