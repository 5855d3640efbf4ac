package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import dev.postrider.testservers.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The relay as it is started for use, by the launcher, on real servers. */
@Timeout(300)
class RelayCommandIT {

    /** Longer than any pause of a busy machine: a lease that ends early would lead to duplicates. */
    private static final String LONG_LEASE = "60s";

    private static final int MOST_STOPS = 5;

    @TempDir
    private Path directory;

    private final DatabaseServer server = Servers.postgres();
    private final Database database = server.createDatabase("relay");
    private final HikariDataSource pool = pool(database);
    private RelayScene scene;

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(3);
        return new HikariDataSource(config);
    }

    @BeforeEach
    void createTables() {
        scene = new RelayScene(
                directory,
                pool,
                PostgresOutboxStore.builder(pool)
                        .lanes(4)
                        .schemaMode(SchemaMode.CREATE)
                        .build());
    }

    @AfterEach
    void dropDatabase() {
        pool.close();
        database.close();
    }

    private String section(String url) {
        return "url: \"%s\", user: \"%s\", password: \"${DB_PASSWORD}\"".formatted(url, database.user());
    }

    private String section() {
        return section(database.jdbcUrl());
    }

    private RelayProcess relay(Path config, String... options) {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "relay";
        arguments[1] = "--config";
        arguments[2] = config.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return RelayProcess.start(directory, Map.of("DB_PASSWORD", database.password()), arguments);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void stopsOnSigtermUnderLoadWithoutADuplicateAndReleasesItsLanesWithinASecond() {
        Path config = scene.config(section(), LONG_LEASE, "max-oldest-age: 1h");
        Duration quickest = Duration.ofDays(1);
        // A busy machine may delay any one of them.
        for (int stops = 0; stops < MOST_STOPS && quickest.compareTo(Duration.ofSeconds(1)) > 0; stops++) {
            Duration took = stopUnderLoad(config);
            quickest = took.compareTo(quickest) < 0 ? took : quickest;
        }
        assertThat(quickest).isLessThan(Duration.ofSeconds(1));

        try (RelayProcess second = relay(config, "--once")) {
            assertThat(second.exitCode()).as(second.err()).isZero();
            assertThat(second.out()).startsWith("outbox orders: delivered ");
        }
        scene.assertNoDuplicates();
        scene.assertDeliveredInOrder();
    }

    /** Returns how long it took from the signal until all lanes were free. */
    private Duration stopUnderLoad(Path config) {
        Duration[] took = new Duration[1];
        int before = scene.deliveredLines().size();
        scene.writeDuring(() -> {
            try (RelayProcess relay = relay(config)) {
                relay.await(() -> scene.deliveredLines().size() > before + 100);
                assertAnswers(relay);
                long signalled = System.nanoTime();
                relay.terminate();
                relay.await(() -> scene.ownedLanes() == 0);
                took[0] = Duration.ofNanos(System.nanoTime() - signalled);
                assertThat(relay.exitCode()).isEqualTo(143);
                assertThat(relay.out()).isEmpty();
                assertThat(relay.err()).doesNotContain("\tat ");
            }
        });
        scene.assertNoDuplicates();
        return took[0];
    }

    private static void assertAnswers(RelayProcess relay) {
        assertThat(relay.get("/health")).isEqualTo("200 {\"status\":\"up\"}");
        assertThat(relay.get("/ready")).isEqualTo("200 {\"status\":\"up\",\"outbox orders\":\"up\"}");
        assertThat(relay.get("/nothing")).startsWith("404");
        assertThat(relay.get("/metrics"))
                .startsWith("200 ")
                .containsPattern("postrider_[a-z_]*delivered[a-z_]*\\{[^}]*config=\"orders\"");
    }

    @Test
    void endsOnSighupAsOnSigterm() {
        try (RelayProcess relay = relay(scene.config(section(), LONG_LEASE, ""))) {
            relay.await(() -> scene.ownedLanes() == 4);
            assertThat(scene.store().leases().lanes())
                    .allMatch(lane -> lane.owner().orElseThrow().matches("[^/]+/" + relay.pid() + "/[0-9a-f]{12}"));
            relay.hangUp();
            assertThat(relay.exitCode()).isEqualTo(129);
            assertThat(scene.ownedLanes()).isZero();
        }
    }

    @Test
    void losesNothingWhenItIsKilled() {
        scene.write(1_000);
        Path config = scene.config(section(), "4500ms", "");
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
    void keepsTryingWhileTheDatabaseCannotBeReachedAndStaysNotReady() {
        scene.write(10);
        try (TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port())) {
            proxy.refuse();
            String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + database.name();
            try (RelayProcess relay = relay(scene.config(section(url), LONG_LEASE, ""))) {
                relay.await(() -> relay.get("/ready").contains("the database cannot be used"));
                assertThat(relay.get("/ready"))
                        .startsWith("503")
                        .contains("the log says why")
                        .doesNotContain("jdbc", "127.0.0.1", database.user());
                assertThat(relay.get("/health")).startsWith("200");
                relay.await(() -> relay.err().contains("Cannot open the outbox yet"));
                assertThat(relay.err()).contains("Cannot reach the database", "Check the address");
                assertThat(scene.deliveredLines()).isEmpty();

                proxy.heal();
                relay.await(() -> relay.get("/ready").startsWith("200"));
                relay.await(() -> scene.distinctDelivered() == 10);

                proxy.refuse();
                proxy.resetAll();
                relay.await(() -> relay.get("/ready").startsWith("503"));
                assertThat(relay.get("/ready"))
                        .contains("\"outbox orders\":\"the database ")
                        .doesNotContain("jdbc", "127.0.0.1", database.user());
                relay.await(() -> storeFailures(relay) > 3);

                proxy.heal();
                relay.await(() -> relay.err().contains("The store answers again after "));
                assertThat(relay.err().lines())
                        .filteredOn(line -> line.contains("The store ") && !line.contains(" more like it in "))
                        .as("the first of many failures and the end")
                        .hasSize(2);
                assertThat(relay.err()).doesNotContain("    at ");
            }
        }
    }

    private static double storeFailures(RelayProcess relay) {
        return Pattern.compile("(?m)^postrider_store_failures_total\\{[^}]*} (\\S+)$")
                .matcher(relay.get("/metrics"))
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    @Test
    void isNotReadyWhileTheOldestMessageIsTooOld() {
        scene.store().pauses().pause("out", "ann");
        scene.write(1);
        try (RelayProcess relay = relay(scene.config(section(), LONG_LEASE, "max-oldest-age: 1ms"))) {
            relay.await(() -> relay.get("/ready").contains("the oldest undelivered message is"));
            scene.store().pauses().resume("out", "ann");
            relay.await(() -> relay.get("/ready").startsWith("200"));
        }
    }

    @Test
    void endsWithAReasonWhenThePasswordIsWrong() {
        String url = Servers.mysql().jdbcUrl("mysql");
        Path config = scene.config("url: \"" + url + "\", user: ann, password: wrong-secret", LONG_LEASE, "");
        try (RelayProcess relay = relay(config)) {
            assertThat(relay.exitCode()).isEqualTo(1);
            assertThat(relay.err())
                    .contains("postrider relay: Refused by the database at", "as user 'ann'", "Check user, password")
                    .doesNotContain("wrong-secret", "\tat ");
        }
    }

    @Test
    void endsWithAReasonWhenNoPasswordIsGiven() throws Exception {
        try (PrivateServer asking = PostgresServer.startPrivate()) {
            try (Connection connection = asking.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE USER ann PASSWORD 'secret'");
                askForPassword(statement);
            }
            Path config = scene.config("url: \"" + asking.jdbcUrl("postgres") + "\", user: ann", LONG_LEASE, "");
            try (RelayProcess relay = relay(config)) {
                assertThat(relay.exitCode()).isEqualTo(1);
                assertThat(relay.err())
                        .contains("Refused by the database at", "as user 'ann'", "no password is given")
                        .doesNotContain("Cannot reach", "Cannot open the outbox yet", "\tat ");
            }
        }
    }

    private static void askForPassword(Statement statement) throws Exception {
        try (ResultSet file = statement.executeQuery("SHOW hba_file")) {
            file.next();
            Path rules = Path.of(file.getString(1));
            Files.writeString(rules, "host all ann all scram-sha-256\n" + Files.readString(rules));
        }
        statement.execute("SELECT pg_reload_conf()");
    }

    @Test
    void endsWithAReasonWhenTheSchemaIsHalfMigrated() throws Exception {
        execute("DELETE FROM outbox_meta WHERE name = 'schema_version'");
        try (RelayProcess relay = relay(scene.config(section(), LONG_LEASE, ""))) {
            assertThat(relay.exitCode()).isEqualTo(1);
            assertThat(relay.err())
                    .contains("has schema version 0, this store needs ", "postrider schema")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void endsWithTheLineOfATypo() throws Exception {
        Path config = scene.config(section(), LONG_LEASE, "");
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
        try (RelayProcess check = relay(scene.config(section(), LONG_LEASE, ""), "--check")) {
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
            assertThat(check.out().lines())
                    .containsExactly(
                            "ok      destination out",
                            "ok      outbox orders: database",
                            "ok      outbox orders: tables and settings",
                            "ok      outbox orders: privileges");
        }
        execute("DROP TABLE outbox_held");
        try (RelayProcess check = relay(scene.config(section(), LONG_LEASE, ""), "--check")) {
            assertThat(check.exitCode()).isEqualTo(1);
            assertThat(check.out()).contains("FAILED  outbox orders: privileges", "SELECT on table outbox_held");
        }
    }
}
