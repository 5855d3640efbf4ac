package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.LentConnection;
import dev.postrider.store.jdbc.RelayConnections;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/** The channel of one outbox. Its name is a hash, because that of an outbox may be longer than a channel's. */
final class NotificationChannel {

    private final RelayConnections connections;
    private final String name;
    private final String instance = UUID.randomUUID().toString();

    NotificationChannel(DataSource dataSource, String outbox) {
        this.connections = new RelayConnections(dataSource);
        this.name = "postrider_"
                + UUID.nameUUIDFromBytes(outbox.getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace("-", "");
    }

    /** What this process sends begins with this. */
    String instance() {
        return instance;
    }

    /** Sends in a transaction of its own, on a connection that is returned at once. */
    void send(String text) throws SQLException {
        try (LentConnection connection = openWithAutoCommit();
                PreparedStatement statement = connection.get().prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, name);
            statement.setString(2, instance + " " + text);
            statement.execute();
        }
    }

    /** A connection that hears the channel until it is closed. */
    LentConnection listen() throws SQLException {
        LentConnection connection = openWithAutoCommit();
        try (Statement statement = connection.get().createStatement()) {
            statement.execute("LISTEN " + name);
            return connection;
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }

    private LentConnection openWithAutoCommit() throws SQLException {
        LentConnection connection = connections.borrow();
        if (!connection.get().getAutoCommit()) {
            connection.get().setAutoCommit(true);
        }
        return connection;
    }
}
