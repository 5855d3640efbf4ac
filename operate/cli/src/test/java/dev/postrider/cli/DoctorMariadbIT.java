package dev.postrider.cli;

import dev.postrider.testservers.MariadbServer;
import dev.postrider.testservers.PrivateServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DoctorMariadbIT extends DoctorMysqlContract {

    private static PrivateServer server;

    @BeforeAll
    static void startServer() {
        server = MariadbServer.startPrivate();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    PrivateServer server() {
        return server;
    }

    @Override
    String ofWriter() {
        return "if it has enqueued, its messages wait";
    }
}
