package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Health;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker that comes and goes, refuses, or can be reached another way. */
class KafkaReceiverFaultsIT {

    private static PrivateKafka kafka;

    private KafkaReceiverFixture fixture;

    @BeforeAll
    static void startBroker() {
        kafka = KafkaServer.startPrivate();
    }

    @AfterAll
    static void endBroker() {
        kafka.close();
    }

    @BeforeEach
    void makeTopic() {
        fixture = new KafkaReceiverFixture(kafka.bootstrapServers());
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private OutboxMessage send(String key) {
        OutboxMessage message =
                OutboxMessage.builder(fixture.topic()).type("t").key(key).build();
        fixture.send(message);
        return message;
    }

    @Test
    void goesOnWhenTheBrokerIsBack() throws InterruptedException {
        try (KafkaReceiver receiver = fixture.builder().build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            send("a");
            deliveries.next().acknowledge();

            kafka.killHard();
            assertThat(receiver.healthCheck()).isInstanceOf(Health.Down.class);
            kafka.restart();
            OutboxMessage after = send("a");

            OutboxMessage arrived = deliveries.next().message();
            // What was handled just before the crash may not be committed yet.
            assertThat(arrived.id().equals(after.id())
                            || deliveries.next().message().id().equals(after.id()))
                    .isTrue();
            assertThat(receiver.termination().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void goesOnWhenItsConnectionsAreCut() throws InterruptedException {
        try (TcpFaultProxy proxy = KafkaFixture.proxy(kafka);
                KafkaReceiver receiver =
                        builder(kafka.host() + ":" + proxy.port(), Map.of()).build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            send("a");
            deliveries.next().acknowledge();

            proxy.resetAll();
            OutboxMessage after = send("a");

            assertThat(deliveries.next().message().id()).isEqualTo(after.id());
        }
    }

    @Test
    void speaksTlsWithTheOptionsOfTheDestination() throws InterruptedException {
        Map<String, String> tls = Map.of(
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                kafka.certificate().certificatePem().toString());
        try (KafkaReceiver receiver =
                builder(kafka.host() + ":" + kafka.tlsPort(), tls).build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            OutboxMessage sent = send("a");

            assertThat(deliveries.next().message().id()).isEqualTo(sent.id());
        }
    }

    @Test
    void saysThatItsCredentialsAreRefused() {
        Map<String, String> wrong = KafkaFixture.sasl(kafka.user(), "wrong");
        try (KafkaReceiver receiver =
                builder(kafka.host() + ":" + kafka.saslPort(), wrong).build()) {
            assertThatThrownBy(() -> receiver.start(Subscription.toAll("test"), delivery -> {}))
                    .isInstanceOf(ReceiverException.class)
                    .hasMessageContaining("check user and password");
        }
    }

    /** Kafka's own consumer would poll for ever. */
    @Test
    void endsWhenItsTopicIsDeletedWhileItIsIdle() throws Exception {
        try (KafkaReceiver receiver = fixture.builder().build();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Deliveries deliveries = Deliveries.of(receiver);
            send("a");
            deliveries.next().acknowledge();
            admin.deleteTopics(Set.of(fixture.topic())).all().get();

            assertThat(receiver.termination().toCompletableFuture())
                    .failsWithin(Duration.ofMinutes(2))
                    .withThrowableThat()
                    .withMessageContaining("a topic does not exist");
        }
    }

    private KafkaReceiverBuilder builder(String servers, Map<String, String> properties) {
        return KafkaReceiver.builder(fixture.group(), servers)
                .topics(fixture.topic())
                .createTopics(1, 1)
                .properties(properties);
    }
}
