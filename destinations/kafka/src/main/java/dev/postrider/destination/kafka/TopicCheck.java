package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Looks whether a topic exists and keeps acknowledged records when a broker is lost. The producer always waits for all replicas
 * in sync, so what counts is how many there must be.
 */
final class TopicCheck implements Check {

    private static final long PATIENCE_SECONDS = 8;
    private static final int ENOUGH_REPLICAS = 3;

    private final KafkaClients clients;
    private final String topic;
    private final Optional<TopicCreation> creation;

    TopicCheck(KafkaClients clients, String topic, Optional<TopicCreation> creation) {
        this.clients = clients;
        this.topic = topic;
        this.creation = creation;
    }

    @Override
    public String name() {
        return "Kafka topic " + topic;
    }

    @Override
    public List<Finding> run() throws ExecutionException, InterruptedException, TimeoutException {
        Admin admin = clients.admin();
        try {
            TopicDescription found =
                    get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
            return findings(requireNonNull(found), config(admin));
        } catch (ExecutionException failed) {
            if (KafkaFailures.isUnknownTopic(failed)) {
                return missing();
            }
            throw failed;
        }
    }

    private List<Finding> missing() {
        if (creation.isPresent()) {
            return replicas(creation.get().replicationFactor(), "will be created with");
        }
        return List.of(Finding.error(
                "topic " + topic + " does not exist, or this user may not see it",
                "its messages wait, and no attempt is counted",
                "Create it with three replicas and min.insync.replicas=2, or let create-topics do it"));
    }

    private List<Finding> findings(TopicDescription found, Optional<Config> config) {
        List<Finding> findings = new ArrayList<>();
        int replicas = found.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        findings.addAll(replicas(replicas, "has"));
        config.ifPresentOrElse(
                known -> findings.addAll(settings(known, replicas)),
                () -> findings.add(Finding.note(
                        "the settings of topic " + topic + " may not be read",
                        "min.insync.replicas is unknown",
                        "Allow DESCRIBE_CONFIGS on the topic, or ask who may")));
        findings.addAll(partitions(found, config));
        return findings;
    }

    private List<Finding> replicas(int replicas, String verb) {
        if (replicas >= ENOUGH_REPLICAS) {
            return List.of();
        }
        return List.of(Finding.warning(
                "topic %s %s %d replica%s of each partition".formatted(topic, verb, replicas, replicas == 1 ? "" : "s"),
                replicas == 1
                        ? "a broker that is lost takes acknowledged messages with it"
                        : "while one broker is away, messages are either kept once or not taken at all",
                "Use a replication factor of 3 with min.insync.replicas=2 (kafka-reassign-partitions)"));
    }

    private List<Finding> settings(Config config, int replicas) {
        List<Finding> findings = new ArrayList<>();
        int inSync = number(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).orElse(1);
        if (inSync < 2 && replicas > 1) {
            findings.add(Finding.warning(
                    "topic " + topic + " has min.insync.replicas=" + inSync,
                    "with acks=all a message counts as delivered as soon as one broker has it; losing that one loses it",
                    "kafka-configs --alter --entity-type topics --entity-name " + topic
                            + " --add-config min.insync.replicas=2"));
        }
        if (inSync > 1 && inSync >= replicas) {
            findings.add(Finding.warning(
                    "topic %s has min.insync.replicas=%d of %d replicas".formatted(topic, inSync, replicas),
                    "delivery stops as soon as one broker is away",
                    "Keep one replica more than min.insync.replicas"));
        }
        ConfigEntry unclean = config.get(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG);
        if (unclean != null && "true".equals(unclean.value())) {
            findings.add(Finding.warning(
                    "topic " + topic + " has unclean.leader.election.enable=true",
                    "a broker that was behind may become leader, and acknowledged messages are gone",
                    "Set it to false"));
        }
        return findings;
    }

    private List<Finding> partitions(TopicDescription found, Optional<Config> config) {
        int needed = config.flatMap(known -> number(known, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG))
                .orElse(1);
        List<Integer> unable = found.partitions().stream()
                .filter(partition -> partition.leader() == null
                        || partition.leader().isEmpty()
                        || partition.isr().size() < needed)
                .map(TopicPartitionInfo::partition)
                .toList();
        return unable.isEmpty()
                ? List.of()
                : List.of(Finding.error(
                        "topic %s: partitions %s have no leader or fewer than %d replicas in sync"
                                .formatted(topic, unable, needed),
                        "they take no messages at present; the relay waits",
                        "Bring the missing brokers back"));
    }

    private static Optional<Integer> number(Config config, String name) {
        return Optional.ofNullable(config.get(name)).map(entry -> Integer.parseInt(entry.value()));
    }

    private Optional<Config> config(Admin admin) throws ExecutionException, InterruptedException, TimeoutException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            return Optional.ofNullable(
                    get(admin.describeConfigs(List.of(resource)).all()).get(resource));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof AuthorizationException) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    private static <T> T get(KafkaFuture<T> answer) throws ExecutionException, InterruptedException, TimeoutException {
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
