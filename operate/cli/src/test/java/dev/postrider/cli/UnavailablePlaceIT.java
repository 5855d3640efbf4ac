package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.internal.JsonText;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay process and a real broker that lacks a topic: what operators see until somebody creates it. */
@Timeout(300)
class UnavailablePlaceIT {

    private static final String GAUGE = "(?m)^postrider_destination_unavailable\\{[^}]*destination=\"kafka\"[^}]*} %s$";

    private static final int MESSAGES = 300;

    private final Broker kafka = Servers.kafka();
    private final Database database = Servers.postgres().createDatabase("places");
    private final String topic = "missing-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void isShownByReadyAndMetricsUntilThePlaceIsThere() throws Exception {
        String file = file().toString();
        try (RelayProcess relay =
                RelayProcess.start(directory, Map.of("POSTRIDER_LOG_FORMAT", "json"), "relay", "--config", file)) {
            relay.await(() -> relay.get("/ready").startsWith("200"));
            assertThat(relay.get("/ready")).doesNotContain(topic);
            assertThat(relay.get("/metrics")).containsPattern(GAUGE.formatted("0\\.0"));

            insert();

            relay.await(() -> relay.get("/ready").contains(topic));
            assertThat(relay.get("/ready")).startsWith("200").contains("takes no messages");
            assertThat(relay.get("/metrics")).containsPattern(GAUGE.formatted("1\\.0"));

            createTopic();

            relay.await(() -> !relay.get("/ready").contains(topic));
            assertThat(relay.get("/ready")).startsWith("200");
            assertThat(relay.get("/metrics")).containsPattern(GAUGE.formatted("0\\.0"));
            assertOneWarning(relay.err());
        }
    }

    /** For all messages and from all libraries: one, that the place is missing. Every line is JSON, also what is said at the start. */
    private void assertOneWarning(String log) {
        List<Map<String, JsonText.Value>> lines = log.substring(0, log.lastIndexOf('\n') + 1)
                .lines()
                .map(JsonText::members)
                .toList();
        assertThat(lines).allMatch(line -> line.keySet().containsAll(Set.of("time", "level", "message", "logger")));
        assertThat(lines)
                .filteredOn(line -> !text(line, "level").equals("INFO"))
                .singleElement()
                .satisfies(line -> assertThat(text(line, "message")).contains(topic, "takes no messages"))
                .satisfies(line -> assertThat(text(line, "place")).contains(topic))
                .satisfies(line -> assertThat(line).containsKeys("relay", "outbox", "destination"));
    }

    private static String text(Map<String, JsonText.Value> line, String field) {
        return line.get(field).scalar().orElseThrow();
    }

    private Path file() throws Exception {
        return Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: 0}
                destinations:
                  kafka: {type: kafka, bootstrap-servers: "%s:%d"}
                outboxes:
                  orders: {database: {url: "%s", user: "%s", password: "%s"}, destination: kafka, schema-mode: create}
                """.formatted(
                        kafka.host(), kafka.port(), database.jdbcUrl(), database.user(), database.password()));
    }

    private void insert() throws Exception {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO outbox (id, topic, message_key, type, payload)"
                    + " SELECT gen_random_uuid(), '%s', 'k' || i, 't', 'x' FROM generate_series(1, %d) i"
                            .formatted(topic, MESSAGES));
        }
    }

    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.host() + ":" + kafka.port()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
    }
}
