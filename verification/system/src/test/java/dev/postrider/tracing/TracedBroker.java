package dev.postrider.tracing;

import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.destination.nats.NatsDestination;
import dev.postrider.destination.nats.NatsReceiver;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Receiver;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.instrumentation.kafkaclients.v2_6.KafkaTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A real broker that traced messages go through, each test with a topic of its own. */
enum TracedBroker {
    KAFKA {
        @Override
        Broker server() {
            return Servers.kafka();
        }

        @Override
        Destination at(Broker server, int port, String topic, OpenTelemetry instrumentation) {
            return KafkaDestination.builder("broker", server.host() + ":" + port)
                    .createTopics(1, 1)
                    .deliveryTimeout(DELIVERY_TIMEOUT)
                    .properties(KafkaTelemetry.create(instrumentation).producerInterceptorConfigProperties())
                    .build();
        }

        @Override
        Receiver receiver(String topic) {
            return KafkaReceiver.builder(topic + "-group", server().host() + ":" + server().port())
                    .topics(topic)
                    .createTopics(1, 1)
                    .build();
        }
    },

    RABBITMQ {
        @Override
        Broker server() {
            return Servers.rabbitmq();
        }

        @Override
        Destination at(Broker server, int port, String topic, OpenTelemetry instrumentation) {
            return RabbitmqDestination.builder("broker")
                    .addresses(server.host() + ":" + port)
                    .credentials(server.user(), server.password())
                    .declareExchanges()
                    .deliveryTimeout(DELIVERY_TIMEOUT)
                    .build();
        }

        @Override
        Receiver receiver(String topic) {
            return RabbitmqReceiver.parkingLot(topic + "-queue")
                    .addresses(server().host() + ":" + server().port())
                    .credentials(server().user(), server().password())
                    .declareTopology()
                    .declareExchanges()
                    .bindTo(topic, "#")
                    .build();
        }
    },

    NATS {
        @Override
        Broker server() {
            return Servers.nats();
        }

        @Override
        Destination at(Broker server, int port, String topic, OpenTelemetry instrumentation) {
            return NatsDestination.builder("broker")
                    .servers("nats://" + server.host() + ":" + port)
                    .credentials(server.user(), server.password())
                    .createStream(stream(topic))
                    .deliveryTimeout(DELIVERY_TIMEOUT)
                    .build();
        }

        @Override
        Receiver receiver(String topic) {
            return NatsReceiver.builder(topic + "-consumer", topic)
                    .servers("nats://" + server().host() + ":" + server().port())
                    .credentials(server().user(), server().password())
                    .createStream(stream(topic))
                    .createConsumer(true)
                    .createParkingStream(true)
                    .build();
        }

        private StreamConfiguration stream(String topic) {
            return StreamConfiguration.builder()
                    .name(topic)
                    .subjects(topic)
                    .storageType(StorageType.Memory)
                    .build();
        }
    };

    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(3);

    /** The one that all tests share. */
    abstract Broker server();

    abstract Destination at(Broker server, int port, String topic, OpenTelemetry instrumentation);

    abstract Receiver receiver(String topic);

    /** @param instrumentation what the broker's own client traces with, where OpenTelemetry has a library for it */
    Destination destination(String topic, OpenTelemetry instrumentation) {
        return at(server(), server().port(), topic, instrumentation);
    }

    /** Where nobody answers. */
    Destination unreachable(String topic) {
        return at(server(), 1, topic, OpenTelemetry.noop());
    }

    /** The names of spans, with those of the broker's own client for so many sends that reach it, where OpenTelemetry has a library for it. */
    List<String> spansOf(String topic, int sends, String... ours) {
        List<String> names = new ArrayList<>(List.of(ours));
        if (this == KAFKA) {
            names.addAll(Collections.nCopies(sends, topic + " publish"));
        }
        return names;
    }

    /** Attributes of a send that has reached the client: where the message went. */
    Map<String, Object> place() {
        return switch (this) {
            case KAFKA -> Map.of("messaging.destination.partition.id", "0");
            case RABBITMQ -> Map.of("messaging.rabbitmq.destination.routing_key", "good");
            case NATS -> Map.of();
        };
    }

    /** What the client throws where nobody answers. */
    String outageError() {
        return switch (this) {
            case KAFKA -> "org.apache.kafka.common.errors.TimeoutException";
            case RABBITMQ, NATS -> "dev.postrider.spi.internal.Link$NoLinkException";
        };
    }

    String system() {
        return name().toLowerCase(Locale.ROOT);
    }
}
