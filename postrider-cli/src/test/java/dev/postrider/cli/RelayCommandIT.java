package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The relay as a process of its own, against an H2 server in this one. */
@Timeout(180)
class RelayCommandIT {

    /** Longer than any pause of a busy machine: a lease that ends early would lead to duplicates. */
    private static final String LONG_LEASE = "60s";

    @TempDir
    private Path directory;

    private Server server;
    private String url;
    private JdbcDataSource dataSource;
    private RelayScene scene;

    @BeforeEach
    void startServer() throws SQLException {
        server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toString())
                .start();
        url = url(server.getPort());
        dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("ann");
        dataSource.setPassword("hunter2");
        scene = new RelayScene(
                directory,
                dataSource,
                H2OutboxStore.builder(dataSource)
                        .lanes(4)
                        .schemaMode(SchemaMode.CREATE)
                        .build());
    }

    private static String url(int port) {
        return "jdbc:h2:tcp://localhost:" + port + "/./app";
    }

    @AfterEach
    void stopServer() {
        server.stop();
    }

    private String database() {
        return "url: \"" + url + "\", user: ann, password: \"${DB_PASSWORD}\"";
    }

    private RelayProcess relay(Path config, String... options) {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "relay";
        arguments[1] = "--config";
        arguments[2] = config.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return RelayProcess.start(directory, Map.of("DB_PASSWORD", "hunter2"), arguments);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void stopsOnSigtermUnderLoadWithoutADuplicateAndReleasesItsLanes() {
        scene.write(1_000);
        Path config = scene.config(database(), LONG_LEASE, "max-oldest-age: 1h");
        try (RelayProcess first = relay(config)) {
            first.await(() -> scene.deliveredLines().size() > 100);
            assertThat(first.get("/health")).isEqualTo("200 {\"status\":\"up\"}");
            assertThat(first.get("/ready")).isEqualTo("200 {\"status\":\"up\",\"outbox orders\":\"up\"}");
            assertThat(first.get("/nothing")).startsWith("404");
            assertThat(first.get("/metrics"))
                    .startsWith("200 ")
                    .containsPattern("postrider_[a-z_]*delivered[a-z_]*\\{[^}]*config=\"orders\"");
            first.terminate();

            assertThat(first.exitCode()).isEqualTo(143);
            assertThat(scene.ownedLanes()).isZero();
            assertThat(first.out()).isEmpty();
            assertThat(first.err()).doesNotContain("hunter2", "\tat ");
        }
        scene.assertNoDuplicates();

        try (RelayProcess second = relay(config, "--once")) {
            assertThat(second.exitCode()).as(second.err()).isZero();
            assertThat(second.out()).startsWith("outbox orders: delivered ");
        }
        scene.assertNoDuplicates();
        scene.assertDeliveredInOrder();
    }

    @Test
    void losesNothingWhenItIsKilled() {
        scene.write(1_000);
        Path config = scene.config(database(), "4500ms", "");
        try (RelayProcess first = relay(config)) {
            first.await(() -> scene.deliveredLines().size() > 100);
            first.kill();
            assertThat(first.exitCode()).isEqualTo(137);
        }
        try (RelayProcess second = relay(config)) {
            second.await(() -> scene.distinctDelivered() == scene.writtenCount());
        }
        scene.assertDeliveredInOrder();
    }

    @Test
    void keepsTryingWhileTheDatabaseCannotBeReached() throws Exception {
        scene.write(10);
        int port = freePort();
        url = url(port);
        try (RelayProcess relay = relay(scene.config(database(), LONG_LEASE, ""))) {
            relay.await(() -> relay.get("/ready").startsWith("503"));
            relay.await(() -> relay.get("/ready").contains("Cannot reach the database"));
            assertThat(relay.get("/ready")).contains("Check the address").doesNotContain("hunter2");
            assertThat(relay.get("/health")).startsWith("200");
            assertThat(relay.err()).contains("trying again");

            Server late = Server.createTcpServer("-tcpPort", String.valueOf(port), "-baseDir", directory.toString())
                    .start();
            try {
                relay.await(() -> relay.get("/ready").startsWith("200"));
                relay.await(() -> scene.distinctDelivered() == 10);
                late.stop();
                relay.await(() -> relay.get("/ready").startsWith("503"));
                assertThat(relay.get("/ready")).contains("\"outbox orders\":\"Could not");
            } finally {
                late.stop();
            }
        }
    }

    @Test
    void isNotReadyWhileTheOldestMessageIsTooOld() {
        scene.store().pauses().pause("out", "ann");
        scene.write(1);
        try (RelayProcess relay = relay(scene.config(database(), LONG_LEASE, "max-oldest-age: 1ms"))) {
            relay.await(() -> relay.get("/ready").contains("the oldest undelivered message is"));
            scene.store().pauses().resume("out", "ann");
            relay.await(() -> relay.get("/ready").startsWith("200"));
        }
    }

    @Test
    void endsWithAReasonWhenThePasswordIsWrong() {
        Path config = scene.config("url: \"" + url + "\", user: ann, password: wrong-secret", LONG_LEASE, "");
        try (RelayProcess relay = relay(config)) {
            assertThat(relay.exitCode()).isEqualTo(1);
            assertThat(relay.err())
                    .contains("postrider relay: Refused by the database at", "as user 'ann'", "Check user, password")
                    .doesNotContain("wrong-secret", "\tat ");
        }
    }

    @Test
    void endsWithAReasonWhenTheSchemaIsHalfMigrated() throws Exception {
        execute("DELETE FROM \"outbox_meta\" WHERE name = 'schema_version'");
        try (RelayProcess relay = relay(scene.config(database(), LONG_LEASE, ""))) {
            assertThat(relay.exitCode()).isEqualTo(1);
            assertThat(relay.err())
                    .contains("has schema version 0, this store needs 1", "postrider schema")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void endsWithTheLineOfATypo() throws Exception {
        Path config = scene.config(database(), LONG_LEASE, "");
        Files.writeString(config, Files.readString(config).replace("max-in-flight", "max-in-fligth"));
        try (RelayProcess relay = relay(config)) {
            assertThat(relay.exitCode()).isEqualTo(2);
            assertThat(relay.err())
                    .contains("postrider.yaml line 7", "'max-in-fligth'; did you mean 'max-in-flight'?")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void checksEverythingInOneScreen() throws Exception {
        try (RelayProcess check = relay(scene.config(database(), LONG_LEASE, ""), "--check")) {
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
            assertThat(check.out().lines())
                    .containsExactly(
                            "ok      destination out",
                            "ok      outbox orders: database",
                            "ok      outbox orders: tables and settings",
                            "ok      outbox orders: privileges");
        }
        execute("DROP TABLE \"outbox_held\"");
        try (RelayProcess check = relay(scene.config(database(), LONG_LEASE, ""), "--check")) {
            assertThat(check.exitCode()).isEqualTo(1);
            assertThat(check.out()).contains("FAILED  outbox orders: privileges", "SELECT on table outbox_held");
        }
    }
}
