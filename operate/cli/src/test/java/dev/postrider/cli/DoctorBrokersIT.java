package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor} and {@code relay --check} say of real brokers. */
@Timeout(180)
class DoctorBrokersIT {

    private final TestOutbox outbox = new TestOutbox(AuditTrail.NONE);
    private final Shell shell = new Shell();
    private final String unique = UUID.randomUUID().toString().substring(0, 8);

    @TempDir
    private Path directory;

    /** A file with this destination, for these topics. */
    private String file(String destination, String topics) throws Exception {
        return Files.writeString(directory.resolve("postrider.yaml"), """
                        destinations: {broker: {%s}}
                        outboxes:
                          orders:
                            database: {url: "%s"}
                            topics: %s
                        """.formatted(destination, outbox.url(), topics))
                .toString();
    }

    @Test
    void looksAtTheReplicationOfKafkaTopics() throws Exception {
        Broker kafka = Servers.kafka();
        String servers = kafka.host() + ":" + kafka.port();
        String topic = "doctor-" + unique;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)
                            .configs(Map.of("unclean.leader.election.enable", "true", "min.insync.replicas", "2"))))
                    .all()
                    .get();
        }
        // One that only the outbox knows, and one that Kafka could never have.
        outbox.write("unknown-" + unique, 1);
        outbox.write("no topic!", 1);
        String file = file("type: kafka, bootstrap-servers: \"" + servers + "\"", topic);

        assertThat(shell.run("doctor", "--config", file)).as(shell.err()).isEqualTo(1);
        assertThat(shell.out())
                .contains("  ok       broker")
                .contains("topic " + topic + " has 1 replica of each partition", "replication factor of 3")
                .contains("has min.insync.replicas=2 of 1 replicas")
                .contains("has unclean.leader.election.enable=true")
                .contains("ERROR    Kafka topic " + topic + ": topic " + topic
                        + ": partitions [0] have no leader or fewer")
                .contains("ERROR    Kafka topic unknown-" + unique + ": ", "does not exist")
                .contains("ERROR    Kafka topic no topic!: ");

        assertThat(shell.run("relay", "--check", "--config", file)).isEqualTo(1);
        assertThat(shell.out())
                .contains("ok      destination broker")
                .contains("FAILED  destination broker: Kafka topic unknown-" + unique)
                .doesNotContain("unclean");
    }

    @Test
    void looksAtExchangesAndQueuesOfRabbitmq() throws Exception {
        Broker rabbitmq = Servers.rabbitmq();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbitmq.uri());
        try (var connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("there-" + unique, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare("quorum-" + unique, true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueDeclare("classic-" + unique, true, false, false, Map.of());
            channel.queueDeclare("fleeting-" + unique, false, false, false, Map.of());
            channel.queueDeclare("leaving-" + unique, true, false, true, Map.of());
            String file = file(
                    "type: rabbitmq, uri: \"%s\", queues: \"quorum-%2$s, classic-%2$s, fleeting-%2$s, leaving-%2$s, none-%2$s\""
                            .formatted(rabbitmq.uri(), unique),
                    "there-%1$s, missing-%1$s".formatted(unique));

            assertThat(shell.run("doctor", "--config", file)).as(shell.err()).isEqualTo(1);

            assertThat(shell.out())
                    .contains("  ok       RabbitMQ exchange there-" + unique)
                    .contains("ERROR    RabbitMQ exchange missing-" + unique, "declare-exchanges")
                    .contains("  ok       RabbitMQ queue quorum-" + unique)
                    .contains("queue classic-" + unique + " is no quorum queue", "x-queue-type=quorum")
                    .contains("ERROR    RabbitMQ queue fleeting-" + unique + ": ", "is not durable")
                    .contains("queue leaving-" + unique + " is deleted with its last consumer")
                    .contains("ERROR    RabbitMQ queue none-" + unique + ": there is no queue");
            assertThat(channel.queueDeclarePassive("classic-" + unique).getMessageCount())
                    .as("nothing was changed")
                    .isZero();
        }
        assertThat(shell.out()).doesNotContain(rabbitmq.password() + "@");
    }

    @Test
    void looksAtTheStreamsOfNats() throws Exception {
        Broker nats = Servers.nats();
        Connection connection = Nats.connect(nats.uri());
        connection
                .jetStreamManagement()
                .addStream(StreamConfiguration.builder()
                        .name("S" + unique)
                        .subjects("there." + unique)
                        .storageType(StorageType.Memory)
                        .maxMessages(10)
                        .build());
        connection.close();
        String file = file(
                "type: nats, servers: \"%s\", expected-stream: OTHER".formatted(nats.uri()),
                "there.%1$s, missing.%1$s".formatted(unique));

        assertThat(shell.run("doctor", "--config", file)).as(shell.err()).isEqualTo(1);

        assertThat(shell.out())
                .contains("stream S" + unique + " is kept in memory", "stream S" + unique + " has 1 replica")
                .contains("has a limit and discards old messages")
                .contains("belongs to stream S" + unique + ", expected-stream is OTHER")
                .contains("ERROR    NATS subject missing." + unique + ": no stream takes subject");
    }

    @Test
    void saysThatABrokerCannotBeReachedAndThatTopicsAreUnknown() throws Exception {
        String down = file("type: nats, servers: \"nats://ann:hunter2@127.0.0.1:1\"", "orders");
        assertThat(shell.run("doctor", "--config", down)).isEqualTo(1);
        assertThat(shell.out()).contains("ERROR    broker: ").doesNotContain("hunter2");

        String unknown = file("type: nats, servers: \"" + Servers.nats().uri() + "\"", "");
        shell.run("doctor", "--config", unknown);
        assertThat(shell.out()).contains("NOTE     topics: no topic is known", "List them in the file");
    }
}
