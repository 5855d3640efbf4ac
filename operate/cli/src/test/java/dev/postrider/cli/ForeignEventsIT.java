package dev.postrider.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.prove.broker.ProofBroker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events of other systems that break the rules of CloudEvents reach real brokers as they were written: consumers know them so. */
@Timeout(300)
class ForeignEventsIT {

    private final String topic = "foreign_" + UUID.randomUUID().toString().substring(0, 8);
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void reachRabbitmqAsTheyWereWritten(Table table) throws Exception {
        String uri = Servers.rabbitmq().uri();

        Map<String, Object> headers = relayed(table, uri, this::fromRabbitmq);

        assertThat(headers)
                .containsEntry("cloudEvents:id", "order-42")
                .containsEntry("cloudEvents:source", "my shop")
                .containsEntry("cloudEvents:subject", "two\nlines")
                .doesNotContainKeys("traceid", "cloudEvents:traceid");
        for (String prefix : List.of("", "cloudEvents:")) {
            assertThat(headers)
                    .containsEntry(prefix + "traceID", "t-1")
                    .containsEntry(prefix + "tenant-id", "blue")
                    .containsEntry(prefix + "shard", 7.0)
                    .containsEntry(prefix + "isnew", true);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reachKafkaAsTheyWereWritten(Table table) throws Exception {
        String server = Servers.kafka().host() + ":" + Servers.kafka().port();

        assertThat(relayed(table, "kafka://" + server, () -> fromKafka(server)))
                .containsEntry("ce_id", "order-42")
                .containsEntry("ce_source", "my shop")
                .containsEntry("ce_subject", "two\nlines")
                .containsEntry("ce_traceID", "t-1")
                .containsEntry("ce_tenant-id", "blue")
                .containsEntry("ce_shard", "7")
                .containsEntry("ce_isnew", "true")
                .doesNotContainKey("ce_traceid");
    }

    @Test
    void areParkedIfTheFileAsksForValidEvents() throws Exception {
        String uri = Servers.rabbitmq().uri();
        ProofBroker broker = ProofBroker.at(uri, topic);
        try (Database database = Servers.mysql().createDatabase("foreign")) {
            broker.prepare();
            write(Table.PENDING_WAIT, database);

            shell.run(
                    "relay",
                    "--once",
                    "--config",
                    config("pending-wait, lenient: false", database, broker.configuration(uri)));

            assertThat(Sql.values(database, "SELECT reason FROM outbox_parking_lot"))
                    .singleElement()
                    .asString()
                    .startsWith("rejected: ")
                    .contains("attribute source");
            assertThat(broker.readAll()).isEmpty();
        } finally {
            broker.remove();
        }
    }

    private interface Reading {
        Map<String, Object> headers() throws Exception;
    }

    private Map<String, Object> relayed(Table table, String uri, Reading reading) throws Exception {
        ProofBroker broker = ProofBroker.at(uri, topic);
        try (Database database = table.isPostgres
                ? Servers.postgres().createDatabase("foreign")
                : Servers.mysql().createDatabase("foreign")) {
            broker.prepare();
            write(table, database);

            assertThat(shell.run(
                            "relay", "--once", "--config", config(table.preset, database, broker.configuration(uri))))
                    .as(shell.err())
                    .isZero();
            return reading.headers();
        } finally {
            broker.remove();
        }
    }

    private void write(Table table, Database database) {
        shell.run("schema", "print", "--dialect", table.isPostgres ? "postgres" : "mysql", "--preset", table.preset);
        Stream.of(shell.out().split(";\\s*\\n"))
                .filter(sql -> !sql.isBlank())
                .forEach(sql -> Sql.execute(database, sql));
        Sql.execute(database, table.row);
    }

    private Map<String, Object> fromRabbitmq() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(Servers.rabbitmq().uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            Map<String, Object> headers = new TreeMap<>();
            // Texts arrive in a type of the client's own.
            channel.basicGet(topic, true)
                    .getProps()
                    .getHeaders()
                    .forEach((name, value) -> headers.put(
                            name, value instanceof Number || value instanceof Boolean ? value : value.toString()));
            return headers;
        }
    }

    private Map<String, Object> fromKafka(String server) {
        Map<String, Object> properties = Map.of("bootstrap.servers", server, "enable.auto.commit", false);
        Map<String, Object> headers = new TreeMap<>();
        try (var consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (headers.isEmpty()) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(one -> one.headers()
                                .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8))));
            }
        }
        return headers;
    }

    private String config(String preset, Database database, Map<String, String> destination) throws IOException {
        String broker = destination.entrySet().stream()
                .map(entry -> "%s: \"%s\"".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        return Files.writeString(directory.resolve("postrider.yaml"), """
            destinations:
              broker: { %s }
            outboxes:
              old:
                database: { url: "%s", user: "%s", password: "%s" }
                existing: { preset: %s, topic: "%s" }
                destination: broker
                relay: { ordering: none }
            """.formatted(
                                broker, database.jdbcUrl(), database.user(), database.password(), preset, topic))
                .toString();
    }

    /** Tables, and how their services write such an event. */
    private enum Table {
        PENDING_WAIT("pending-wait", false, """
            INSERT INTO outbox_pending (id, metadata, data, create_time) VALUES (UNHEX('01900000000070008000000000000001'), JSON_OBJECT(
              'SpecVersion', '1.0', 'Type', 'a.T', 'Source', 'my shop', 'Subject', 'two\nlines', 'ID', 'order-42',
              'Extensions', JSON_OBJECT('traceID', 't-1', 'tenant-id', 'blue', 'shard', 7, 'isnew', true)), '{}', UTC_TIMESTAMP(6))\
            """),
        EVENT_OUTBOX("event-outbox", true, """
            INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, metadata) VALUES ('order-42', 'T', 'k', '{}', jsonb_build_object(
              'ce_source', 'my shop', 'ce_subject', 'two\nlines',
              'ce_traceID', 't-1', 'ce_tenant-id', 'blue', 'ce_shard', 7, 'ce_isnew', true))\
            """);

        private final String preset;
        private final boolean isPostgres;
        private final String row;

        Table(String preset, boolean isPostgres, String row) {
            this.preset = preset;
            this.isPostgres = isPostgres;
            this.row = row;
        }
    }
}
