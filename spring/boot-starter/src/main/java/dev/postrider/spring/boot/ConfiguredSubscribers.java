package dev.postrider.spring.boot;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.destination.kafka.KafkaReceiverBuilder;
import dev.postrider.destination.nats.NatsReceiver;
import dev.postrider.destination.nats.NatsReceiverBuilder;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.service.destination.Account;
import dev.postrider.service.destination.KafkaFactory;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.spring.SubscriberFactory;
import io.nats.client.api.StreamConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The subscribers below {@code postrider.subscribers}: from which broker, and what. Kafka and RabbitMQ are found where the application itself
 * finds them.
 */
final class ConfiguredSubscribers implements SubscriberFactory {

    private static final String TYPE = "type";
    private static final String TOPICS = "topics";
    private static final String CREATE_TOPICS = "create-topics";
    private static final String STREAM = "stream";
    private static final String CREATE_STREAM = "create-stream";
    private static final String TLS = "tls";
    private static final String SERVERS = "servers";

    private final Map<String, Section> sections;
    private final ApplicationBrokers brokers;
    private final CodecRegistry codecs;
    private final Function<String, ReceiverListener> listeners;

    /** @param listeners who hears of what the receivers of a type do */
    ConfiguredSubscribers(
            Map<String, Section> sections,
            ApplicationBrokers brokers,
            CodecRegistry codecs,
            Function<String, ReceiverListener> listeners) {
        this.sections = sections;
        this.brokers = brokers;
        this.codecs = codecs;
        this.listeners = listeners;
    }

    @Override
    public Subscriber.Builder subscriber(String name) {
        Section section = sections.get(name);
        if (section == null) {
            throw new ConfigException("A method has @EventHandler(subscriber = \"" + name
                    + "\"), but nothing says where its events come from. Set postrider.subscribers." + name
                    + ".type to kafka, rabbitmq or nats, and .topics, or define a bean of type SubscriberFactory");
        }
        try {
            return Subscriber.builder(name, receiver(name, section), codecs);
        } catch (IllegalArgumentException wrong) {
            throw section.refuse(String.valueOf(wrong.getMessage()));
        }
    }

    private Receiver receiver(String name, Section section) {
        String type = section.requireText(TYPE);
        return switch (type) {
            case "kafka" -> kafka(name, section);
            case "rabbitmq" -> rabbitmq(name, section);
            case "nats" -> nats(name, section);
            default -> throw section.refuse(TYPE, "is '" + type + "', expected kafka, rabbitmq or nats");
        };
    }

    private Receiver kafka(String name, Section section) {
        section.allow(List.of(TYPE, TOPICS, CREATE_TOPICS));
        brokers.quietKafka();
        Map<String, Object> client = new HashMap<>(brokers.kafka(KafkaClient.CONSUMER));
        String servers = String.valueOf(client.remove(KafkaKeys.SERVERS));
        KafkaReceiverBuilder builder =
                KafkaReceiver.builder(name, servers).properties(client).listener(listeners.apply("kafka"));
        section.text(CREATE_TOPICS)
                .map(KafkaFactory.TOPICS::parse)
                .ifPresent(sizes -> builder.createTopics(sizes[0], sizes[1]));
        return builder.topics(list(section, TOPICS)).build();
    }

    /** The queue has the name of the subscriber, and is bound to the events that its handlers take. */
    private Receiver rabbitmq(String name, Section section) {
        section.allow(List.of(TYPE));
        var builder = RabbitmqReceiver.parkingLot(name)
                .declareTopology()
                .declareExchanges()
                .bindEvents()
                .listener(listeners.apply("rabbitmq"));
        brokers.rabbitmq().applyTo(builder);
        return builder.build();
    }

    private Receiver nats(String name, Section section) {
        section.allow(List.of(TYPE, TOPICS, STREAM, CREATE_STREAM, SERVERS, "user", "password", "password-file", TLS));
        String stream = section.requireText(STREAM);
        NatsReceiverBuilder builder = NatsReceiver.builder(name, stream).listener(listeners.apply("nats"));
        Account.read(section)
                .ifPresent(account ->
                        builder.credentials(account.user(), account.password().reveal()));
        if (isSet(section, TLS)) {
            builder.tls();
        }
        if (isSet(section, CREATE_STREAM)) {
            builder.createParkingStream(true)
                    .createStream(StreamConfiguration.builder()
                            .name(stream)
                            .subjects(list(section, TOPICS))
                            .build());
        }
        if (section.has(SERVERS)) {
            builder.servers(list(section, SERVERS));
        }
        if (section.has(TOPICS)) {
            builder.subjects(list(section, TOPICS));
        }
        return builder.build();
    }

    private static boolean isSet(Section section, String key) {
        return section.text(key).map(ValueFormat.FLAG::parse).orElse(false);
    }

    private static String[] list(Section section, String key) {
        return section.requireText(key).split("\\s*,\\s*");
    }
}
