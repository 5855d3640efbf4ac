package dev.postrider.destination.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The properties of a receiver's clients: what its promises need, and what the user adds. */
final class ConsumerProperties {

    /** As much as a broker takes in one request by default: what could be received can be set aside. */
    static final int LARGEST_RECORD = 100 << 20;

    /** Properties that have an option of the builder, or none because there is nothing to choose. */
    private static final Map<String, String> OWN = Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "give the servers to KafkaReceiver.builder",
            ConsumerConfig.GROUP_ID_CONFIG, "give the group to KafkaReceiver.builder",
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, "keys are UTF-8",
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, "payloads are bytes; codecs read them",
            ConsumerConfig.AUTO_COMMIT_INTERVAL_MS_CONFIG, "there are no automatic commits");

    private ConsumerProperties() {}

    /**
     * Refuses a property that would break a promise.
     *
     * @throws IllegalArgumentException naming the property, the reason and what to do instead
     */
    static void check(String name, Object value) {
        String instead = OWN.get(name);
        if (instead != null) {
            throw refused(name, value, instead);
        }
        String text = String.valueOf(value).strip();
        if (name.equals(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG) && !text.equals("false")) {
            throw refused(name, value, "a message is committed when it was handled, and not before");
        }
        if (name.equals(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG) && !text.equals("earliest") && !text.equals("none")) {
            throw refused(
                    name,
                    value,
                    "messages before the group's first commit, and the first ones of a new partition, would be lost;"
                            + " use earliest or none, and set the group's offsets to begin elsewhere");
        }
        if (name.equals(ProducerConfig.ACKS_CONFIG)) {
            throw refused(name, value, "a message is set aside with acks=all, or it could be lost");
        }
    }

    private static IllegalArgumentException refused(String name, Object value, String reason) {
        return new IllegalArgumentException("Kafka property %s=%s is refused: %s".formatted(name, value, reason));
    }

    static Map<String, Object> consumer(String group, String servers, Map<String, Object> given) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, "postrider-" + group);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // What a producer took back was never sent.
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        if (!"consumer".equals(String.valueOf(given.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG)))) {
            // Partitions that stay need not stop while others move.
            all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        }
        all.putAll(given);
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return all;
    }

    /** The producer of retry and parking topics has the same access to the same servers. */
    static Map<String, Object> producer(String group, String servers, SendTimes times, Map<String, Object> given) {
        Map<String, Object> shared = shared(given);
        shared.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_RECORD);
        shared.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) LARGEST_RECORD);
        return ClientProperties.producer("postrider-" + group + "-retry", servers, times, Compression.NONE, shared);
    }

    static Map<String, Object> admin(String group, String servers, SendTimes times, Map<String, Object> given) {
        return ClientProperties.admin("postrider-" + group + "-admin", servers, times, shared(given));
    }

    /** What concerns every kind of client: access above all. */
    private static Map<String, Object> shared(Map<String, Object> given) {
        Map<String, Object> shared = new LinkedHashMap<>(given);
        shared.keySet().removeIf(ConsumerProperties::isForConsumersOnly);
        return shared;
    }

    private static boolean isForConsumersOnly(String name) {
        return name.equals(ConsumerConfig.CLIENT_ID_CONFIG)
                || name.equals(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG)
                || (ConsumerConfig.configNames().contains(name)
                        && !ProducerConfig.configNames().contains(name));
    }

    /** How long a member may go without polling, which bounds how long a rebalance may wait. */
    static Duration maxPollInterval(Map<String, Object> given) {
        Object configured = given.getOrDefault(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, "300000");
        return Duration.ofMillis(Long.parseLong(configured.toString().strip()));
    }
}
