package dev.postrider.store.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/** The channel of one outbox. Its name is a hash, because that of an outbox may be longer than a channel's. */
final class NotificationChannel {

    private final DataSource dataSource;
    private final String name;
    private final String instance = UUID.randomUUID().toString();

    NotificationChannel(DataSource dataSource, String outbox) {
        this.dataSource = dataSource;
        this.name = "postrider_"
                + UUID.nameUUIDFromBytes(outbox.getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace("-", "");
    }

    /** What this process sends begins with this. */
    String instance() {
        return instance;
    }

    /** Sends in a transaction of its own, on a connection that is given back at once. */
    void send(String text) throws SQLException {
        try (Connection connection = openWithAutoCommit();
                PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, name);
            statement.setString(2, instance + " " + text);
            statement.execute();
        }
    }

    /** A connection that hears the channel until it is closed. */
    Connection listen() throws SQLException {
        Connection connection = openWithAutoCommit();
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + name);
            return connection;
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }

    private Connection openWithAutoCommit() throws SQLException {
        Connection connection = dataSource.getConnection();
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        return connection;
    }
}
