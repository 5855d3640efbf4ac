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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay process under the Java agent of OpenTelemetry, which has instrumentation for the clients of all three brokers. */
@Timeout(300)
class TracingAgentIT {

    private static final String CREATION = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CREATOR = "00f067aa0ba902b7";
    private static final String LINK = "\"links\":[{\"traceId\":\"%s\",\"spanId\":\"%s\"".formatted(CREATION, CREATOR);
    private static final Path AGENT =
            Path.of("target", "javaagent", "opentelemetry-javaagent.jar").toAbsolutePath();
    private static final List<String> BROKERS = List.of("kafka", "rabbitmq", "nats");
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "POSTRIDER_JAVA_OPTS", "-javaagent:" + AGENT,
            "OTEL_TRACES_EXPORTER", "experimental-otlp/stdout",
            "OTEL_METRICS_EXPORTER", "none",
            "OTEL_LOGS_EXPORTER", "none",
            "OTEL_BSP_SCHEDULE_DELAY", "100",
            "OTEL_INSTRUMENTATION_JDBC_ENABLED", "false");
    private static final Pattern SPAN =
            Pattern.compile("\"traceId\":\"(\\w{32})\",\"spanId\":\"(\\w{16})\"(?:,\"parentSpanId\":\"(\\w*)\")?"
                    + ",\"name\":\"([^\"]+)\",(.*?\"status\")");

    private final String unique = UUID.randomUUID().toString().substring(0, 8);
    private final Database database = Servers.postgres().createDatabase("traced");

    @TempDir
    private Path directory;

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void putsTheClientsSpansIntoThoseOfTheSends() throws Exception {
        try (RelayProcess relay = RelayProcess.start(directory, ENVIRONMENT, "relay", "--config", file().toString())) {
            relay.await(() -> relay.get("/ready").startsWith("200"));
            for (String broker : BROKERS) {
                insert(broker);
            }

            relay.await(() -> BROKERS.stream().allMatch(broker -> published(relay.out(), broker) == 1));
            for (String broker : BROKERS) {
                assertThat(sends(relay.out(), broker))
                        .singleElement()
                        .satisfies(send -> assertThat(send.parent()).isEmpty())
                        .satisfies(send -> assertThat(send.traceId()).isNotEqualTo(CREATION))
                        .satisfies(send -> assertThat(send.rest()).contains(LINK));
            }
        }
    }

    /** How many spans of the broker's client are in the one of the send. */
    private long published(String out, String broker) {
        List<Exported> sends = sends(out, broker);
        return spans(out).stream()
                .filter(span -> sends.stream().anyMatch(send -> send.spanId().equals(span.parent())))
                .filter(span -> span.name().contains("publish"))
                .count();
    }

    private List<Exported> sends(String out, String broker) {
        return spans(out).stream()
                .filter(span -> span.name().equals("send " + broker + "-" + unique))
                .toList();
    }

    /** What the agent has written so far: a line of JSON for each batch of spans. */
    private static List<Exported> spans(String out) {
        return SPAN.matcher(out)
                .results()
                .map(found -> new Exported(
                        found.group(1),
                        found.group(2),
                        found.group(3) == null ? "" : found.group(3),
                        found.group(4),
                        found.group(5)))
                .toList();
    }

    /** @param rest what follows its name */
    private record Exported(String traceId, String spanId, String parent, String name, String rest) {}

    private Path file() throws Exception {
        Broker kafka = Servers.kafka();
        Broker nats = Servers.nats();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.host() + ":" + kafka.port()))) {
            admin.createTopics(List.of(new NewTopic("kafka-" + unique, 1, (short) 1)))
                    .all()
                    .get();
        }
        Connection connection = Nats.connect(nats.uri());
        connection
                .jetStreamManagement()
                .addStream(StreamConfiguration.builder()
                        .name("S" + unique)
                        .subjects("nats-" + unique)
                        .build());
        connection.close();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(Servers.rabbitmq().uri());
        try (var rabbitmq = factory.newConnection();
                Channel channel = rabbitmq.createChannel()) {
            channel.exchangeDeclare("rabbitmq-" + unique, BuiltinExchangeType.FANOUT, true);
            channel.queueDeclare("rabbitmq-" + unique, true, false, false, Map.of());
            channel.queueBind("rabbitmq-" + unique, "rabbitmq-" + unique, "");
        }
        return Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: 0}
                tracing: {}
                destinations:
                  kafka: {type: kafka, bootstrap-servers: "%s:%d"}
                  rabbitmq: {type: rabbitmq, uri: "%s"}
                  nats: {type: nats, servers: "%s"}
                outboxes:
                  orders:
                    database: {url: "%s", user: "%s", password: "%s"}
                    routes:
                      - {topic: kafka-*, destination: kafka}
                      - {topic: rabbitmq-*, destination: rabbitmq}
                    destination: nats
                    schema-mode: create
                """.formatted(
                        kafka.host(),
                        kafka.port(),
                        Servers.rabbitmq().uri(),
                        nats.uri(),
                        database.jdbcUrl(),
                        database.user(),
                        database.password()));
    }

    private void insert(String broker) throws SQLException {
        String parent = "00-" + CREATION + "-" + CREATOR + "-01";
        try (var connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO outbox (id, topic, message_key, type, payload, headers) VALUES"
                    + " (gen_random_uuid(), '%s-%s', 'k', 't', 'x', '{\"traceparent\":\"%s\",\"ce_traceparent\":\"%s\"}')"
                            .formatted(broker, unique, parent, parent));
        }
    }
}
