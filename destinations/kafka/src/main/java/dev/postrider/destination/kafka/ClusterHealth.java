package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Asks the cluster whether records can be written.
 *
 * <p>That a broker answers is not enough: while a partition has no leader or too few replicas in sync, its records fail, and if
 * the destination were called up meanwhile, those failures would count as the messages' own. So the topics of failed records are
 * looked at too, until they are whole again.
 */
final class ClusterHealth {

    private static final int MAX_SUSPECTS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final KafkaClients clients;
    private final Set<String> suspects = ConcurrentHashMap.newKeySet();

    ClusterHealth(KafkaClients clients) {
        this.clients = clients;
    }

    /** A record of this topic failed for a reason that may concern others. */
    void suspect(String topic) {
        if (suspects.size() < MAX_SUSPECTS) {
            suspects.add(topic);
        }
    }

    Health check() {
        try {
            Admin admin = clients.admin();
            get(admin.describeCluster(new DescribeClusterOptions().timeoutMs(millis()))
                    .nodes());
            for (String topic : suspects) {
                Optional<String> problem = problemOf(topic, admin);
                if (problem.isPresent()) {
                    return Health.down("Kafka topic " + topic + ": " + problem.get());
                }
                suspects.remove(topic);
            }
            return Health.UP;
        } catch (ExecutionException | KafkaException | IllegalStateException failed) {
            return Health.down("Kafka: " + KafkaFailures.reason(failed));
        } catch (TimeoutException late) {
            return Health.down("Kafka has not answered within " + PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Health.down("Interrupted while asking Kafka");
        }
    }

    private static Optional<String> problemOf(String topic, Admin admin)
            throws ExecutionException, InterruptedException, TimeoutException {
        TopicDescription description;
        try {
            description = get(admin.describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(millis()))
                            .allTopicNames())
                    .get(topic);
        } catch (ExecutionException failed) {
            if (KafkaFailures.isUnknownTopic(failed)) {
                return Optional.empty();
            }
            throw failed;
        }
        int needed = minInSyncReplicas(topic, admin);
        return requireNonNull(description).partitions().stream()
                .flatMap(partition -> problemOf(partition, needed).stream())
                .findFirst();
    }

    private static Optional<String> problemOf(TopicPartitionInfo partition, int needed) {
        if (partition.leader() == null || partition.leader().isEmpty()) {
            return Optional.of("partition " + partition.partition() + " has no leader");
        }
        int inSync = partition.isr().size();
        int enough = Math.min(needed, partition.replicas().size());
        return inSync >= enough
                ? Optional.empty()
                : Optional.of("partition %d has %d replicas in sync, min.insync.replicas is %d"
                        .formatted(partition.partition(), inSync, enough));
    }

    /** Without the right to ask, one: a leader is enough then. */
    private static int minInSyncReplicas(String topic, Admin admin) throws InterruptedException, TimeoutException {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Map<ConfigResource, Config> configs =
                    get(admin.describeConfigs(List.of(resource), new DescribeConfigsOptions().timeoutMs(millis()))
                            .all());
            return Integer.parseInt(requireNonNull(configs.get(resource))
                    .get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)
                    .value());
        } catch (ExecutionException notAllowed) {
            return 1;
        }
    }

    private static int millis() {
        return Math.toIntExact(PATIENCE.toMillis());
    }

    private static <T> T get(KafkaFuture<T> answer) throws ExecutionException, InterruptedException, TimeoutException {
        return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    }
}
