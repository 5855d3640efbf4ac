package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RoutingTable;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.PrivateKafka;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/kafka.md as well; SnippetsTest compares. */
class KafkaGuideIT {

    private final PrivateKafka kafka = StoppableKafka.broker();
    private final String servers = kafka.bootstrapServers();
    private final TestTopics topics = new TestTopics(servers);
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);

    private static DeliveryResult send(Destination destination, String topic) {
        OutboxMessage message =
                OutboxMessage.builder(topic).type("t").key("17").json("{}").build();
        return destination
                .send(message)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void deliversFromAnOutbox() {
        String topic = topics.create(1);
        // snippet: relay
        KafkaDestination destination = KafkaDestination.builder("kafka-main", servers)
                .compression(Compression.ZSTD)
                .build();
        Relay relay = Relay.withDefaults(store, destination);
        relay.start();
        // end
        outbox.inTransaction(
                store.dataSource(),
                tx -> tx.enqueue(
                        outbox.message(topic).type("t").key("17").json("{}").build()));

        assertThat(topics.messages(topic, 1)).hasSize(1);
        // snippet: close
        relay.close();
        destination.close();
        // end
    }

    @Test
    void speaksTlsAndNamesAnAccount() {
        String trusted = kafka.certificate().certificatePem().toString();
        String tlsServers = kafka.host() + ":" + kafka.tlsPort();
        // snippet: tls
        Destination encrypted = KafkaDestination.builder("kafka-main", tlsServers)
                .property("security.protocol", "SSL")
                .property("ssl.truststore.type", "PEM")
                .property("ssl.truststore.location", trusted)
                .build();
        // end
        RelayUnderLoad.await("an answer", () -> encrypted.healthCheck().equals(Health.UP));
        encrypted.close();

        String saslServers = kafka.host() + ":" + kafka.saslPort();
        String user = kafka.user();
        String password = kafka.password();
        // snippet: sasl
        String login =
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";";
        Destination withAccount = KafkaDestination.builder("kafka-main", saslServers)
                .property("security.protocol", "SASL_PLAINTEXT")
                .property("sasl.mechanism", "PLAIN")
                .property("sasl.jaas.config", login.formatted(user, password))
                .build();
        // end
        RelayUnderLoad.await("an answer", () -> withAccount.healthCheck().equals(Health.UP));
        withAccount.close();
    }

    @Test
    void choosesAndCreatesTopics() {
        String fallback = topics.create(1);
        String prefix = TestTopics.unusedName();
        // snippet: topics
        Destination destination = KafkaDestination.builder("kafka-main", servers)
                .topic(message -> message.topic().startsWith("internal.")
                        ? Optional.empty()
                        : Optional.of(prefix + "." + message.topic()))
                .defaultTopic(fallback)
                .createTopics(6, 1)
                .build();
        // end
        assertThat(send(destination, "orders")).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(send(destination, "internal.audit")).isEqualTo(DeliveryResult.DELIVERED);
        destination.close();
        assertThat(topics.records(prefix + ".orders", 1)).hasSize(1);
        assertThat(topics.records(fallback, 1)).hasSize(1);
    }

    @Test
    void writesThePlainFormat() {
        String topic = topics.create(1);
        // snippet: plain
        Destination destination = KafkaDestination.builder("kafka-main", servers)
                .format(WireFormat.PLAIN)
                .build();
        // end
        assertThat(send(destination, topic)).isEqualTo(DeliveryResult.DELIVERED);
        destination.close();
    }

    @Test
    void fencesFormerOwnersOfALane() {
        String topic = topics.create(1);
        // snippet: fencing
        KafkaDestination kafka = KafkaDestination.builder("kafka-main", servers)
                .fencing("orders-outbox")
                .build();
        // end
        outbox.inTransaction(
                store.dataSource(),
                tx -> tx.enqueue(outbox.message(topic).type("t").build()));
        try (Relay relay = Relay.withDefaults(store, kafka)) {
            relay.start();
            assertThat(topics.committed().messages(topic, 1)).hasSize(1);
        }
        kafka.close();
    }

    @Test
    void refusesWhatBreaksAPromise() {
        // snippet: refused
        KafkaDestinationBuilder builder = KafkaDestination.builder("kafka-main", servers)
                .property("linger.ms", 5)
                .property("max.request.size", 4 << 20);
        // builder.property("acks", "1");    IllegalArgumentException: only acks=all is a durable acknowledgement
        // end
        builder.build().close();
    }

    @Test
    void routesToSeveralDestinations() {
        String topic = topics.create(1);
        KafkaDestination kafkaMain =
                KafkaDestination.builder("kafka-main", servers).build();
        RecordingDestination billing = new RecordingDestination("billing");
        // snippet: routing
        Relay relay = Relay.builder(
                        store,
                        RoutingTable.byTopic().route("billing.*", billing).otherwise(kafkaMain))
                .build();
        relay.start();
        // end
        for (String each : List.of(topic, "billing.eu")) {
            outbox.inTransaction(
                    store.dataSource(),
                    tx -> tx.enqueue(outbox.message(each).type("t").build()));
        }
        billing.awaitDelivered(1, Duration.ofSeconds(60));
        assertThat(topics.messages(topic, 1)).hasSize(1);
        relay.close();
        kafkaMain.close();
    }
}
