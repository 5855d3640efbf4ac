package dev.postrider.destination.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/** The properties of the clients: what Postrider's promises need, and what the user adds. */
final class ClientProperties {

    /** Properties that have an option of the builder, or none because there is nothing to choose. */
    private static final Map<String, String> OWN = Map.ofEntries(
            Map.entry(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "give the servers to KafkaDestination.builder"),
            Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "use deliveryTimeout, which the relay checks"),
            Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, "it follows from deliveryTimeout"),
            Map.entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "use compression"),
            Map.entry(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "keys are UTF-8"),
            Map.entry(
                    ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "payloads are bytes; encode them before the outbox"),
            Map.entry(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "use fencing, which has one for each lane"),
            Map.entry(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "it follows from deliveryTimeout"));

    /** Eight times Kafka's own; the buffer has room for 256 partitions at once. */
    private static final int BATCH_BYTES = 128 << 10;

    private ClientProperties() {}

    /**
     * Refuses an address with an account in it, which Kafka does not know and would quote in its errors.
     *
     * @throws IllegalArgumentException without the address
     */
    static String checkedServers(String servers) {
        if (servers.contains("@") || servers.contains("//")) {
            throw new IllegalArgumentException("bootstrapServers are not of the form host:port,host:port;"
                    + " give user and password as properties (security.protocol, sasl.mechanism, sasl.jaas.config)");
        }
        return servers;
    }

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
        switch (name) {
            case ProducerConfig.ACKS_CONFIG ->
                require(
                        text.equals("all") || text.equals("-1"),
                        name,
                        value,
                        "only acks=all is a durable acknowledgement");
            case ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG ->
                require(text.equals("true"), name, value, "without it a retry inside the client reorders and repeats");
            case ProducerConfig.RETRIES_CONFIG ->
                require(!text.equals("0"), name, value, "an idempotent producer must be able to repeat a request");
            case ProducerConfig.BOOTSTRAP_RESOLVE_TIMEOUT_MS_CONFIG ->
                require(text.equals("0"), name, value, "a client that once gave up on its servers never comes back");
            case ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG ->
                require(text.equals("false"), name, value, "the key decides the partition, or a key has no order");
            case ProducerConfig.PARTITIONER_CLASS_CONFIG ->
                require(
                        partitioner(value) != RoundRobinPartitioner.class,
                        name,
                        value,
                        "the key decides the partition, or a key has no order");
            default -> {
                // Everything else is the user's choice.
            }
        }
    }

    private static Class<? extends Partitioner> partitioner(Object value) {
        try {
            return value instanceof Class<?> type
                    ? type.asSubclass(Partitioner.class)
                    : Utils.loadClass(String.valueOf(value).strip(), Partitioner.class);
        } catch (ClassNotFoundException | ClassCastException none) {
            throw refused(ProducerConfig.PARTITIONER_CLASS_CONFIG, value, "it names no class that is a Partitioner");
        }
    }

    private static void require(boolean condition, String name, Object value, String reason) {
        if (!condition) {
            throw refused(name, value, reason);
        }
    }

    private static IllegalArgumentException refused(String name, Object value, String reason) {
        return new IllegalArgumentException("Kafka property %s=%s is refused: %s".formatted(name, value, reason));
    }

    static Map<String, Object> producer(
            String clientId, String servers, SendTimes times, Compression compression, Map<String, Object> given) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(times.request()));
        all.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, (long) millis(times.request()));
        all.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, (long) millis(times.delivery()));
        // The relay sends the next message of a key after the last one only, so many keys make a batch: a moment's
        // patience and room for them doubles the rate. See ADR 6.
        all.put(ProducerConfig.LINGER_MS_CONFIG, 1);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        all.putAll(given);
        if (given.containsKey(ProducerConfig.PARTITIONER_CLASS_CONFIG)) {
            all.put(ContainedPartitioner.CLASS_CONFIG, partitioner(given.get(ProducerConfig.PARTITIONER_CLASS_CONFIG)));
            all.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, containing());
        }
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression.configured());
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(times.delivery()));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) millis(times.block()));
        return all;
    }

    /** Clients before 4.1 offer partitioners no metrics, and lack the types for it. */
    private static Class<?> containing() {
        try {
            Class.forName(
                    "org.apache.kafka.common.metrics.Monitorable", false, ClientProperties.class.getClassLoader());
            return MonitoredPartitioner.class;
        } catch (ClassNotFoundException old) {
            return ContainedPartitioner.class;
        }
    }

    /** The same as the common producer's, with transactions. Records need no company in time: each commit sends them all. */
    static Map<String, Object> transactional(Map<String, Object> producer, String transactionalId, SendTimes times) {
        Map<String, Object> all = new LinkedHashMap<>(producer);
        all.put(ProducerConfig.CLIENT_ID_CONFIG, producer.get(ProducerConfig.CLIENT_ID_CONFIG) + "-" + transactionalId);
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) millis(times.transactionCall()));
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(times.transactionCall()));
        all.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                millis(times.transactionCall().dividedBy(2)));
        all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis(times.total()));
        return all;
    }

    /** The same access to the same servers, without what only a producer knows. */
    static Map<String, Object> admin(String clientId, String servers, SendTimes times, Map<String, Object> given) {
        Map<String, Object> all = new LinkedHashMap<>(given);
        all.keySet().removeIf(ClientProperties::isForProducersOnly);
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        all.putIfAbsent(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(times.lookup()));
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(times.lookup()));
        return all;
    }

    private static boolean isForProducersOnly(String name) {
        return ProducerConfig.configNames().contains(name)
                && !AdminClientConfig.configNames().contains(name);
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
