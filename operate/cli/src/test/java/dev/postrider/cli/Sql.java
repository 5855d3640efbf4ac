package dev.postrider.cli;

import dev.postrider.testservers.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What services of others do with a database. */
final class Sql {

    private Sql() {}

    static void execute(Database database, String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException error) {
            throw new IllegalStateException(sql, error);
        }
    }

    /** The first column of all rows. */
    static List<String> values(Database database, String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException error) {
            throw new IllegalStateException(sql, error);
        }
    }
}
