package dev.postrider.service.destination;

import dev.postrider.destination.kafka.Compression;
import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaDestinationBuilder;
import dev.postrider.destination.kafka.WireFormat;
import dev.postrider.internal.Internal;
import dev.postrider.internal.SafeText;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Apache Kafka: each key is one call of {@link KafkaDestinationBuilder}. */
@Internal
public final class KafkaFactory implements DestinationFactory {

    private static final String FENCING = "fencing";

    /** Partitions and replicas of topics to be created. */
    public static final ValueFormat<int[]> TOPICS = new ValueFormat<>("PARTITIONS x REPLICAS", KafkaFactory::topics);

    private static final List<Setting<KafkaDestinationBuilder>> SETTINGS = List.of(
            Setting.of(
                    "format",
                    ValueFormat.choice(WireFormat.class),
                    "What a record looks like: CloudEvents in binary mode, or a JSON envelope.",
                    KafkaDestinationBuilder::format),
            Setting.of(
                    "source",
                    ValueFormat.TEXT,
                    "The CloudEvents source of messages that name none.",
                    KafkaDestinationBuilder::source),
            Setting.of(
                    "create-topics",
                    TOPICS,
                    "they are not created",
                    "Creates topics that are missing, such as `12 x 3`.",
                    (KafkaDestinationBuilder builder, int[] sizes) -> builder.createTopics(sizes[0], sizes[1])),
            Setting.flag(
                    "allow-internal-topics",
                    "Sends also to topics that begin with an underscore, as those of Kafka and its tools do; else such"
                            + " messages are rejected.",
                    KafkaDestinationBuilder::allowInternalTopics),
            Setting.of(
                    "compression",
                    ValueFormat.choice(Compression.class),
                    "How batches are compressed.",
                    KafkaDestinationBuilder::compression),
            Setting.of(
                    "delivery-timeout",
                    ValueFormat.DURATION_FORM,
                    "The longest time in which a send ends; at most the relay's. 1s to 30m.",
                    KafkaDestinationBuilder::deliveryTimeout),
            Setting.of(
                    "close-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long a stop waits for outstanding records. 0 to 1h.",
                    KafkaDestinationBuilder::closeTimeout),
            Setting.of(
                    "max-in-flight",
                    ValueFormat.NUMBER,
                    "How many messages may be in flight. 1 to 1000000.",
                    KafkaDestinationBuilder::maxInFlight),
            Setting.of(
                    FENCING,
                    ValueFormat.TEXT,
                    "Has the broker refuse a relay that has lost a lane, by transactions under this name, which all"
                            + " relays of an outbox share; such a destination is for one outbox only.",
                    KafkaDestinationBuilder::fencing));

    private static final Key SERVERS =
            new Key("bootstrap-servers", "text", "required", "Some brokers as `host:port`, separated by commas.");
    private static final Key PROPERTIES = new Key(
            "properties",
            "keys with values",
            "none",
            "Any property of Kafka's producer, such as `security.protocol`; one that would break a promise is"
                    + " refused.");

    @Override
    public String type() {
        return "kafka";
    }

    @Override
    public String meaning() {
        return "Apache Kafka, acknowledged by all replicas in sync; the producer is idempotent.";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>(List.of(SERVERS));
        keys.addAll(Key.of(SETTINGS));
        keys.add(PROPERTIES);
        return keys;
    }

    @Override
    public Destination create(String name, Section section) {
        return create(name, section, Map.of());
    }

    /** The same with properties of the producer that the application knows, the servers among them; the section goes before them. */
    public Destination create(String name, Section section, Map<String, ?> known) {
        KafkaDestinationBuilder builder = builder(name, section, known);
        section.applyTo(builder, SETTINGS);
        try {
            section.section(PROPERTIES.name()).ifPresent(properties -> {
                properties.texts().forEach(SafeText::rememberProperty);
                builder.properties(properties.texts());
            });
            return builder.build();
        } catch (IllegalArgumentException wrong) {
            throw section.refuse(PROPERTIES.name(), String.valueOf(wrong.getMessage()));
        }
    }

    private static KafkaDestinationBuilder builder(String name, Section section, Map<String, ?> known) {
        Map<String, Object> properties = new HashMap<>(known);
        Object servers = properties.remove("bootstrap.servers");
        try {
            return KafkaDestination.builder(
                            name,
                            section.text(SERVERS.name())
                                    .orElseGet(() ->
                                            servers == null ? section.requireText(SERVERS.name()) : servers.toString()))
                    .properties(properties);
        } catch (IllegalArgumentException wrong) {
            throw section.refuse(SERVERS.name(), String.valueOf(wrong.getMessage()));
        }
    }

    /** The name and the number of a lane make the transactional id: two outboxes would fence each other. */
    @Override
    public boolean isForOneOutbox(Section section) {
        return section.has(FENCING);
    }

    private static int[] topics(String text) {
        String[] parts = text.split("\\s*x\\s*");
        if (parts.length != 2) {
            throw new IllegalArgumentException("is '" + text + "', expected partitions and replicas, such as '12 x 3'");
        }
        return new int[] {ValueFormat.NUMBER.parse(parts[0]), ValueFormat.NUMBER.parse(parts[1])};
    }
}
