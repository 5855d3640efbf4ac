package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.destination.nats.NatsReceiver;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import dev.postrider.spi.Health;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Receivers of all brokers to which nothing is sent: they stay connected, and have nothing to say. */
class IdleReceiversIT {

    /** Longer than any of them waits for a message before it asks again or looks whether its broker is there. */
    private static final Duration SILENCE = Duration.ofSeconds(12);

    private static final Logger OURS = (Logger) LoggerFactory.getLogger("dev.postrider");

    private final String name = "idle-" + UUID.randomUUID();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<Receiver> receivers = List.of(kafka(), plain(), parkingLot(), nats());

    private Receiver kafka() {
        Broker broker = Servers.kafka();
        return KafkaReceiver.builder(name, broker.host() + ":" + broker.port())
                .topics(name)
                .createTopics(1, 1)
                .build();
    }

    private Receiver plain() {
        return RabbitmqReceiver.plain(name + "-plain")
                .uri(Servers.rabbitmq().uri())
                .declareTopology()
                .build();
    }

    private Receiver parkingLot() {
        return RabbitmqReceiver.parkingLot(name)
                .uri(Servers.rabbitmq().uri())
                .declareTopology()
                .build();
    }

    private Receiver nats() {
        Broker broker = Servers.nats();
        return NatsReceiver.builder(name, name)
                .servers("nats://" + broker.host() + ":" + broker.port())
                .credentials(broker.user(), broker.password())
                .createStream(StreamConfiguration.builder()
                        .name(name)
                        .subjects(name)
                        .storageType(StorageType.Memory)
                        .build())
                .createParkingStream(true)
                .build();
    }

    @AfterEach
    void close() {
        OURS.detachAppender(lines);
        OURS.setLevel(null);
        receivers.forEach(Receiver::close);
    }

    @Test
    void areSilentAndHealthy() {
        receivers.forEach(receiver -> receiver.start(Subscription.toAll("idle"), delivery -> {}));
        Eventually.holds(
                "all are connected",
                () -> receivers.stream()
                        .allMatch(receiver -> receiver.healthCheck().equals(Health.UP)));
        lines.start();
        OURS.setLevel(Level.INFO);
        OURS.addAppender(lines);

        Eventually.pause(SILENCE);
        OURS.info("The end, to see that lines are kept");

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("The end, to see that lines are kept");
        assertThat(receivers).allSatisfy(receiver -> {
            assertThat(receiver.termination().toCompletableFuture()).isNotDone();
            assertThat(receiver.healthCheck()).isEqualTo(Health.UP);
        });
    }
}
