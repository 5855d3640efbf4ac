package dev.postrider.destination.kafka;

import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Makes topics and reads them with a consumer of its own, directly at the broker. */
final class TestTopics {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String servers;
    private final String isolation;

    TestTopics(String servers) {
        this(servers, "read_uncommitted");
    }

    private TestTopics(String servers, String isolation) {
        this.servers = servers;
        this.isolation = isolation;
    }

    /** The same without what transactions have not committed. */
    TestTopics committed() {
        return new TestTopics(servers, "read_committed");
    }

    /** With a name that nobody uses. */
    String create(int partitions) {
        return create(partitions, Map.of());
    }

    String create(int partitions, Map<String, String> settings) {
        String name = unusedName();
        create(new NewTopic(name, partitions, (short) -1).configs(settings));
        return name;
    }

    void create(NewTopic topic) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(topic)).all().get();
            awaitKnown(admin, topic.name());
        } catch (Exception failed) {
            throw new IllegalStateException("Cannot create " + topic, failed);
        }
    }

    void delete(String topic) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of(topic)).all().get();
        } catch (Exception failed) {
            throw new IllegalStateException("Cannot delete " + topic, failed);
        }
    }

    void alter(String topic, String setting, String value) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(change)))
                    .all()
                    .get();
        } catch (Exception failed) {
            throw new IllegalStateException("Cannot change " + topic, failed);
        }
    }

    /** A broker may not yet know what the controller has just created. */
    private static void awaitKnown(Admin admin, String topic) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                admin.describeTopics(List.of(topic)).allTopicNames().get();
                return;
            } catch (ExecutionException notYet) {
                Thread.sleep(10);
            }
        }
    }

    /** Returns when the group has this many members, each with partitions. */
    void awaitMembers(String group, long members) {
        await(
                group,
                found -> found.members().stream()
                                .filter(member ->
                                        !member.assignment().topicPartitions().isEmpty())
                                .count()
                        == members);
    }

    /** Returns when the group has this many members, with or without partitions. */
    void awaitJoined(String group, int members) {
        await(group, found -> found.members().size() == members);
    }

    private void await(String group, Predicate<ConsumerGroupDescription> condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            while (System.nanoTime() < deadline && !isStable(admin, group, condition)) {
                Thread.sleep(50);
            }
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException("Cannot look at group " + group, failed);
        }
    }

    private static boolean isStable(Admin admin, String group, Predicate<ConsumerGroupDescription> condition)
            throws InterruptedException, ExecutionException {
        ConsumerGroupDescription found = admin.describeConsumerGroups(List.of(group))
                .describedGroups()
                .get(group)
                .get();
        return found.groupState() == GroupState.STABLE && condition.test(found);
    }

    static String unusedName() {
        return "orders." + UUID.randomUUID();
    }

    /** What is in the topic, until there are {@code count} different messages or for a minute. */
    List<OutboxMessage> messages(String topic, int count) {
        return read(topic, count, CloudEventRecords::read);
    }

    List<ConsumerRecord<byte[], byte[]>> records(String topic, int count) {
        return read(topic, count, record -> record);
    }

    /** Reads to the end that the topic has now, and further while there is too little. */
    private <T> List<T> read(String topic, int count, Function<ConsumerRecord<byte[], byte[]>, T> form) {
        List<T> found = new ArrayList<>();
        Set<Object> different = new HashSet<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (System.nanoTime() < deadline && (different.size() < count || !hasReached(consumer, ends))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    T formed = form.apply(record);
                    different.add(formed instanceof OutboxMessage message ? message.id() : formed);
                    found.add(formed);
                }
            }
        }
        return found;
    }

    private static boolean hasReached(KafkaConsumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
        List<PartitionInfo> infos = consumer.partitionsFor(topic);
        return infos.stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "enable.auto.commit", "false", "isolation.level", isolation),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
