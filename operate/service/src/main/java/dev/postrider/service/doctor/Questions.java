package dev.postrider.service.doctor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Asks a database for a few rows of text. Each question is a transaction of its own. Thread-safe. */
final class Questions {

    private static final int PATIENCE_SECONDS = 10;

    private final DataSource dataSource;

    Questions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Rows with their values by column in small letters; NULL is empty. */
    List<Row> rows(String sql, @Nullable Object... parameters) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            connection.setAutoCommit(true);
            statement.setQueryTimeout(PATIENCE_SECONDS);
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                List<Row> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(read(result));
                }
                return rows;
            }
        }
    }

    /** The only row. */
    Row row(String sql, @Nullable Object... parameters) throws SQLException {
        List<Row> rows = rows(sql, parameters);
        if (rows.size() != 1) {
            throw new SQLException("Expected one row, got " + rows.size());
        }
        return rows.get(0);
    }

    private static Row read(ResultSet result) throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
            String value = result.getString(column);
            values.put(
                    result.getMetaData().getColumnLabel(column).toLowerCase(Locale.ROOT), value == null ? "" : value);
        }
        return new Row(values);
    }

    /** One row. */
    record Row(Map<String, String> values) {

        String text(String column) {
            return values.getOrDefault(column, "");
        }

        /** 0 for NULL. */
        long number(String column) {
            String text = text(column);
            return text.isEmpty() ? 0 : (long) Double.parseDouble(text);
        }

        boolean isOn(String column) {
            String text = text(column).toLowerCase(Locale.ROOT);
            return text.equals("on") || text.equals("t") || text.equals("true") || text.equals("1");
        }
    }
}
