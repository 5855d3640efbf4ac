package dev.postrider.faults;

import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Receiver;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.time.Duration;

/** A real broker between outbox and inbox. */
enum ChainBroker {
    KAFKA {
        @Override
        Broker server() {
            return Servers.kafka();
        }

        @Override
        Destination destination(ChainSettings settings) {
            return KafkaDestination.builder("kafka", settings.brokerAddress())
                    .createTopics(4, 1)
                    .deliveryTimeout(DELIVERY_TIMEOUT)
                    .build();
        }

        /** The first member has a place of its own, which it gets back at once; others are missed for a session. */
        @Override
        Receiver receiver(ChainSettings settings) {
            var builder = KafkaReceiver.builder(settings.topic() + "-group", settings.brokerAddress())
                    .topics(settings.topic())
                    .createTopics(4, 1)
                    .property("session.timeout.ms", 6_000)
                    .property("heartbeat.interval.ms", 1_000);
            return (settings.name().endsWith("0") ? builder.property("group.instance.id", settings.name()) : builder)
                    .build();
        }
    },

    RABBITMQ {
        @Override
        Broker server() {
            return Servers.rabbitmq();
        }

        @Override
        Destination destination(ChainSettings settings) {
            return RabbitmqDestination.builder("rabbitmq")
                    .addresses(settings.brokerAddress())
                    .credentials(settings.brokerUser(), settings.brokerPassword())
                    .deliveryTimeout(DELIVERY_TIMEOUT)
                    .build();
        }

        @Override
        Receiver receiver(ChainSettings settings) {
            return RabbitmqReceiver.parkingLot(settings.topic() + "-queue")
                    .addresses(settings.brokerAddress())
                    .credentials(settings.brokerUser(), settings.brokerPassword())
                    .declareTopology()
                    .declareExchanges()
                    .bindTo(settings.topic(), "#")
                    .build();
        }
    };

    static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(2);

    /** The one that all tests share. */
    abstract Broker server();

    abstract Destination destination(ChainSettings settings);

    abstract Receiver receiver(ChainSettings settings);
}
