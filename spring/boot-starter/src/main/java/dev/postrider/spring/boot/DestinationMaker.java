package dev.postrider.spring.boot;

import dev.postrider.service.config.Section;
import dev.postrider.service.destination.DestinationTypes;
import dev.postrider.service.destination.KafkaFactory;
import dev.postrider.service.destination.RabbitmqFactory;
import dev.postrider.spi.Destination;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Makes configured destinations. One of Kafka or RabbitMQ that says no address gets to the broker that the application itself uses.
 */
final class DestinationMaker implements BiFunction<String, Section, Destination> {

    private final ApplicationBrokers brokers;

    DestinationMaker(ApplicationBrokers brokers) {
        this.brokers = brokers;
    }

    @Override
    public Destination apply(String name, Section section) {
        return switch (section.requireText("type")) {
            case "kafka" -> kafka(name, section);
            case "rabbitmq" -> rabbitmq(name, section);
            default -> DestinationTypes.onClassPath().create(name, section);
        };
    }

    private Destination kafka(String name, Section section) {
        brokers.quietKafka();
        Map<String, Object> known = section.has("bootstrap-servers") ? Map.of() : brokers.kafka(KafkaClient.PRODUCER);
        return new KafkaFactory().create(name, section, known);
    }

    private Destination rabbitmq(String name, Section section) {
        boolean saysWhere = section.has("uri") || section.has("addresses");
        return saysWhere
                ? new RabbitmqFactory().create(name, section)
                : new RabbitmqFactory().create(name, section, brokers.rabbitmq()::applyTo);
    }
}
