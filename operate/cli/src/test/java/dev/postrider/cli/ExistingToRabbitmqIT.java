package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A table that services of others write, from PostgreSQL to RabbitMQ, both real. */
@Timeout(600)
class ExistingToRabbitmqIT {

    private static final int ENTITIES = 5;
    private static final int EVENTS = 20;
    private static final Pattern DELIVERED =
            Pattern.compile("(?m)^postrider_messages_delivered_total\\{[^}]*\\} ([0-9.]+)$");

    private final String topic = "existing-" + UUID.randomUUID().toString().substring(0, 8);
    private final Database database = Servers.postgres().createDatabase("existing");
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void emptiesTheTableInTheOrderOfEachEntityAndCountsWhatItDelivered() throws Exception {
        for (String preset : List.of("outbox-events", "relay-lock")) {
            assertThat(shell.run("schema", "print", "--dialect", "postgres", "--preset", preset))
                    .isZero();
            Sql.execute(database, shell.out());
        }
        try (Connection connection = broker();
                Channel channel = connection.createChannel();
                RelayProcess relay = RelayProcess.start(directory, Map.of(), "relay", "--config", config())) {
            channel.exchangeDeclare(topic, BuiltinExchangeType.FANOUT, true);
            channel.queueDeclare(topic, true, false, false, Map.of());
            channel.queueBind(topic, topic, "");
            Sql.execute(
                    database,
                    "INSERT INTO outbox_events (id, entity_id, message, created_at) SELECT 'e' || n, 'k' || n %% %d, 'k' || n %% %d || ' ' || n, now() + n * interval '1 ms' FROM generate_series(1, %d) n"
                            .formatted(ENTITIES, ENTITIES, EVENTS));

            relay.await(
                    () -> Sql.values(database, "SELECT id FROM outbox_events").isEmpty());

            relay.await(() -> counted(relay.get("/metrics")) >= EVENTS);
            assertThat(byEntity(received(channel))).isEqualTo(byEntity(written()));
            channel.queueDelete(topic);
            channel.exchangeDelete(topic);
        }
    }

    private static double counted(String metrics) {
        return DELIVERED
                .matcher(metrics)
                .results()
                .mapToDouble(line -> Double.parseDouble(line.group(1)))
                .sum();
    }

    private static Connection broker() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(Servers.rabbitmq().uri());
        return factory.newConnection();
    }

    private String config() throws IOException {
        return Files.writeString(directory.resolve("postrider.yaml"), """
                http: { port: 0 }
                destinations:
                  rabbitmq: { type: rabbitmq, uri: "%s" }
                outboxes:
                  events:
                    database: { url: "%s", user: "%s", password: "%s" }
                    existing: { preset: outbox-events, topic: "%s", leader: relay }
                    destination: rabbitmq
                """.formatted(
                        Servers.rabbitmq().uri(), database.jdbcUrl(), database.user(), database.password(), topic))
                .toString();
    }

    /** A second delivery is left out: a machine that stands still for longer than a lease may cause one. */
    private List<String> received(Channel channel) throws IOException {
        Set<String> texts = new LinkedHashSet<>();
        GetResponse next = channel.basicGet(topic, true);
        while (next != null) {
            texts.add(new String(next.getBody(), StandardCharsets.UTF_8));
            next = channel.basicGet(topic, true);
        }
        return List.copyOf(texts);
    }

    private static List<String> written() {
        return IntStream.rangeClosed(1, EVENTS)
                .mapToObj(n -> "k" + n % ENTITIES + " " + n)
                .toList();
    }

    /** Stable, so that the order within each entity stays. */
    private static List<String> byEntity(List<String> texts) {
        return texts.stream()
                .sorted((one, other) -> one.substring(0, 2).compareTo(other.substring(0, 2)))
                .toList();
    }
}
