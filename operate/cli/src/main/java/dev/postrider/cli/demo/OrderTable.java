package dev.postrider.cli.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The business data of the demo: one row per order, which counts the order's events. */
final class OrderTable {

    private static final String CREATE = """
            CREATE TABLE demo_order (
                id     VARCHAR(40) PRIMARY KEY,
                events BIGINT NOT NULL
            )""";
    private static final String INSERT = "INSERT INTO demo_order (id, events) VALUES (?, ?)";

    /** Locks the row: whoever comes second reads what the first has committed. */
    private static final String LOCK = "SELECT events FROM demo_order WHERE id = ? FOR UPDATE";

    private static final String UPDATE = "UPDATE demo_order SET events = ? WHERE id = ?";

    private OrderTable() {}

    static OrderTable create(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
        } catch (SQLException failure) {
            throw new IllegalStateException("The embedded database refuses a table", failure);
        }
        return new OrderTable();
    }

    /** Creates an order with so many events; returns the position of the first. */
    long insert(Connection connection, String orderId, int events) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, orderId);
            statement.setLong(2, events);
            statement.executeUpdate();
        }
        return 1;
    }

    /** Locks the order and adds so many events; returns the position of the first. */
    long advance(Connection connection, String orderId, int events) throws SQLException {
        long before = lock(connection, orderId);
        try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
            statement.setLong(1, before + events);
            statement.setString(2, orderId);
            statement.executeUpdate();
        }
        return before + 1;
    }

    private static long lock(Connection connection, String orderId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
            statement.setString(1, orderId);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
