package dev.postrider.cli;

import dev.postrider.testservers.MysqlServer;
import dev.postrider.testservers.NotOnTidb;
import dev.postrider.testservers.PrivateServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
@NotOnTidb("settings of InnoDB; DoctorTidbIT looks at those of TiDB")
class DoctorMysqlIT extends DoctorMysqlContract {

    private static PrivateServer server;

    @BeforeAll
    static void startServer() {
        server = MysqlServer.startPrivate(Map.of("performance_schema", "ON"));
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
        return "has changed 1 row, some of them in the outbox";
    }
}
