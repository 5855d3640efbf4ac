package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One relay process for three databases and three brokers, and what operators see of it meanwhile. */
@Timeout(600)
class SeveralOutboxesIT {

    private static final List<String> OUTBOXES = List.of("one", "two", "three");

    private final String unique = UUID.randomUUID().toString().substring(0, 8);
    private final Database postgres = Servers.postgres().createDatabase("several");
    private final Database mysql = Servers.mysql().createDatabase("several");
    private final Database mariadb = Servers.mariadb().createDatabase("several");
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @AfterEach
    void dropDatabases() {
        List.of(postgres, mysql, mariadb).forEach(Database::close);
    }

    private static String section(Database database) {
        return "url: \"%s\", user: \"%s\", password: \"%s\""
                .formatted(database.jdbcUrl(), database.user(), database.password());
    }

    private Path file() throws Exception {
        Broker kafka = Servers.kafka();
        Broker nats = Servers.nats();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.host() + ":" + kafka.port()))) {
            admin.createTopics(List.of(new NewTopic("several-" + unique, 1, (short) 1)))
                    .all()
                    .get();
        }
        Connection connection = Nats.connect(nats.uri());
        connection
                .jetStreamManagement()
                .addStream(StreamConfiguration.builder()
                        .name("S" + unique)
                        .subjects("several-" + unique)
                        .build());
        connection.close();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(Servers.rabbitmq().uri());
        try (var rabbitmq = factory.newConnection();
                Channel channel = rabbitmq.createChannel()) {
            channel.exchangeDeclare("several-" + unique, BuiltinExchangeType.FANOUT, true);
            channel.queueDeclare("several-" + unique, true, false, false, Map.of());
            channel.queueBind("several-" + unique, "several-" + unique, "");
        }
        return Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: 0}
                destinations:
                  kafka: {type: kafka, bootstrap-servers: "%s:%d"}
                  rabbitmq: {type: rabbitmq, uri: "%s"}
                  nats: {type: nats, servers: "%s"}
                outboxes:
                  one: {database: {%s}, destination: kafka, audit: plain, schema-mode: create}
                  two: {database: {%s}, destination: rabbitmq, audit: plain, schema-mode: create}
                  three: {database: {%s}, destination: nats, audit: plain, schema-mode: create}
                """.formatted(
                        kafka.host(),
                        kafka.port(),
                        Servers.rabbitmq().uri(),
                        nats.uri(),
                        section(postgres),
                        section(mysql),
                        section(mariadb)));
    }

    private void insert(Database database, String id) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO outbox (id, topic, message_key, type, payload) VALUES (%s, 'several-%s', 'k', 't', 'x')"
                            .formatted(id, unique));
        }
    }

    @Test
    void deliversFromEachToItsBrokerAndShowsIt() throws Exception {
        String file = file().toString();
        try (RelayProcess relay = RelayProcess.start(directory, Map.of(), "relay", "--config", file)) {
            relay.await(() -> relay.get("/ready").startsWith("200"));
            insert(postgres, "gen_random_uuid()");
            insert(mysql, "UNHEX(REPLACE(UUID(), '-', ''))");
            insert(mariadb, "UNHEX(REPLACE(UUID(), '-', ''))");

            OUTBOXES.forEach(outbox -> relay.await(() -> delivered(file, outbox) == 1));
            assertShowsEach(file);
            assertWatches(file);

            relay.terminate();
            assertThat(relay.exitCode()).isEqualTo(143);
        }
        OUTBOXES.forEach(outbox -> assertChangesItsLanes(file, outbox));
    }

    private void assertShowsEach(String file) {
        assertThat(shell.run("status", "--config", file, "--output", "json"))
                .as(shell.err())
                .isZero();
        assertThat(shell.lines())
                .hasSize(3)
                .allMatch(line -> line.contains("\"undelivered\":0,"))
                .allMatch(line -> line.contains("\"enqueued_per_second\":"))
                .allMatch(line -> line.contains("\"is_owned\":true"))
                .extracting(line -> line.substring(0, line.indexOf(',')))
                .containsExactly("{\"outbox\":\"one\"", "{\"outbox\":\"two\"", "{\"outbox\":\"three\"");
    }

    private void assertChangesItsLanes(String file, String outbox) {
        for (String step : List.of("plan", "create", "switch")) {
            List<String> words = new ArrayList<>(
                    List.of("lanes", step, "--config", file, "--outbox", outbox, "--to-prefix", "next"));
            words.addAll(step.equals("switch") ? List.of("--quiet", "10ms") : List.of("--lanes", "4"));
            assertThat(shell.run(words.toArray(String[]::new))).as(shell.err()).isZero();
        }
        assertThat(shell.out()).contains("next delivers now, from 4 lanes");
    }

    /** By the audit trail, which has what the broker has acknowledged. */
    private int delivered(String file, String outbox) {
        assertThat(shell.run("tail", "--once", "--since", "1h", "--config", file, "--outbox", outbox))
                .as(shell.err())
                .isZero();
        return shell.lines().size();
    }

    private void assertWatches(String file) {
        try (RelayProcess watch = RelayProcess.start(
                directory, Map.of(), "status", "--watch", "--interval", "200ms", "--config", file, "-o", "json")) {
            watch.await(() -> watch.out().lines().count() >= 9);
            watch.terminate();
            assertThat(watch.exitCode()).isEqualTo(143);
        }
    }
}
