package dev.postrider.testservers;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Waits until a started server accepts connections. */
final class ReadyCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DatabaseServer server;
    private String lastRefusal = "";

    private ReadyCheck(DatabaseServer server) {
        this.server = server;
    }

    /** Fails with the server's log if it ends or takes too long. */
    static void await(DatabaseServer server, Instance instance) {
        var check = new ReadyCheck(server);
        Await.until(PATIENCE, () -> check.accepts() || !instance.isRunning());
        if (!instance.isRunning() || !check.accepts()) {
            throw new ServerUnavailableException("%s did not get ready: %s%n%s"
                    .formatted(server.description(), check.lastRefusal, instance.endOfLog()));
        }
    }

    static boolean accepts(DatabaseServer server) {
        return new ReadyCheck(server).accepts();
    }

    private boolean accepts() {
        try (Connection connection = server.dataSource().getConnection()) {
            return connection.isValid(5);
        } catch (SQLException notYet) {
            lastRefusal = notYet.getMessage();
            return false;
        }
    }
}
