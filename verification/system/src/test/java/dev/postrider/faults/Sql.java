package dev.postrider.faults;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Plain statements with positional parameters. */
record Sql(DataSource dataSource) {

    /** Reads one row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    <T> List<T> list(String query, Row<T> mapper, Object... parameters) {
        try (Connection connection = dataSource.getConnection()) {
            return list(connection, query, mapper, parameters);
        } catch (SQLException failed) {
            throw new IllegalStateException(query, failed);
        }
    }

    long number(String query, Object... parameters) {
        return list(query, row -> row.getLong(1), parameters).get(0);
    }

    void execute(String statement, Object... parameters) {
        try (Connection connection = dataSource.getConnection()) {
            update(connection, statement, parameters);
        } catch (SQLException failed) {
            throw new IllegalStateException(statement, failed);
        }
    }

    static <T> List<T> list(Connection connection, String query, Row<T> mapper, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, query, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<T> result = new ArrayList<>();
            while (rows.next()) {
                result.add(mapper.read(rows));
            }
            return result;
        }
    }

    static void update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }
}
