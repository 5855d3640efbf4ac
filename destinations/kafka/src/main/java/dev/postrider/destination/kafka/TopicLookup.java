package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Finds topics before their first record is given to the producer, which would block its caller meanwhile.
 *
 * <p>The admin client asks for a topic without occupying a thread, so that any number of missing topics hold up nothing. Only
 * when the topic is there, a thread of our own lets the producer learn of it.
 */
final class TopicLookup {

    /** Of a broker: one mebibyte and the head of a batch. */
    private static final int DEFAULT_MAX_BYTES = 1_048_588;

    private final KafkaClients clients;
    private final SendTimes times;
    private final Optional<TopicCreation> creation;
    private final Executor helper;
    private final Duration remembered;
    private final Map<String, Queue<CompletableFuture<Void>>> searches = new ConcurrentHashMap<>();

    /** @param remembered for how long without use; well below the time after which a producer forgets a topic */
    TopicLookup(
            KafkaClients clients,
            SendTimes times,
            Optional<TopicCreation> creation,
            Duration remembered,
            Executor helper) {
        this.clients = clients;
        this.times = times;
        this.creation = creation;
        this.remembered = remembered;
        this.helper = helper;
    }

    /** Whether the producer surely knows the topic and so will not wait for it. */
    boolean isKnown(String topic, SharedProducer producer) {
        return producer.knows(topic, remembered);
    }

    void forget(String topic) {
        clients.forgetTopic(topic);
    }

    /**
     * Completes when a producer knows the topic or was replaced, or with the reason why it does not. Those who ask for the same topic at once
     * learn it in the order in which they asked.
     */
    CompletionStage<Void> find(String topic, SharedProducer producer) {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        if (isFirst(topic, asked)) {
            var unused = lookUp(topic, producer).whenComplete((maxBytes, failure) -> {
                Queue<CompletableFuture<Void>> waiting = requireNonNull(searches.remove(topic));
                if (failure == null) {
                    producer.learned(topic, maxBytes);
                    waiting.forEach(each -> each.complete(null));
                } else if (clients.isReplaced(producer)) {
                    // Whoever asked finds that the next producer does not know the topic, and asks again.
                    waiting.forEach(each -> each.complete(null));
                } else {
                    waiting.forEach(each -> each.completeExceptionally(failure));
                }
            });
        }
        return asked;
    }

    /** One future for each: those who wait for the same one learn it in the reverse order. */
    private boolean isFirst(String topic, CompletableFuture<Void> asked) {
        return searches.compute(topic, (name, others) -> {
                            Queue<CompletableFuture<Void>> waiting =
                                    others == null ? new ConcurrentLinkedQueue<>() : others;
                            waiting.add(asked);
                            return waiting;
                        })
                        .peek()
                == asked;
    }

    /** Completes with the largest batch that the topic takes. */
    private CompletionStage<Integer> lookUp(String topic, SharedProducer producer) {
        long deadline = System.nanoTime() + times.lookup().toNanos();
        try {
            CompletionStage<Integer> maxBytes = maxBytes(topic);
            return describe(topic)
                    .exceptionallyCompose(failure -> createIfMissing(topic, failure))
                    .thenRunAsync(() -> teach(producer, topic, deadline), helper)
                    .thenCombine(maxBytes, (taught, bytes) -> bytes);
        } catch (RuntimeException failed) {
            return CompletableFuture.failedStage(failed);
        }
    }

    private CompletionStage<Void> describe(String topic) {
        var options = new DescribeTopicsOptions().timeoutMs(lookupMillis());
        return clients.admin()
                .describeTopics(List.of(topic), options)
                .allTopicNames()
                .toCompletionStage()
                .thenAccept(found -> {});
    }

    /** Kafka's default where this account may not ask. */
    private CompletionStage<Integer> maxBytes(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        var options = new DescribeConfigsOptions().timeoutMs(lookupMillis());
        return clients.admin()
                .describeConfigs(List.of(resource), options)
                .all()
                .toCompletionStage()
                .thenApply(found -> Integer.parseInt(requireNonNull(found.get(resource))
                        .get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)
                        .value()))
                .exceptionally(unknown -> DEFAULT_MAX_BYTES);
    }

    private CompletionStage<Void> createIfMissing(String topic, Throwable failure) {
        if (creation.isEmpty() || !KafkaFailures.isUnknownTopic(failure)) {
            return CompletableFuture.failedStage(failure);
        }
        NewTopic wanted = creation.get().newTopic(topic);
        var options = new CreateTopicsOptions().timeoutMs(lookupMillis());
        return clients.admin()
                .createTopics(List.of(wanted), options)
                .all()
                .toCompletionStage()
                .exceptionallyCompose(TopicLookup::unlessItExists);
    }

    private static CompletionStage<Void> unlessItExists(Throwable failure) {
        return KafkaFailures.unwrapped(failure) instanceof TopicExistsException
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(failure);
    }

    private static void teach(SharedProducer producer, String topic, long deadline) {
        while (true) {
            try {
                producer.client.partitionsFor(topic);
                return;
            } catch (TimeoutException notYet) {
                if (System.nanoTime() - deadline > 0) {
                    throw notYet;
                }
            }
        }
    }

    private int lookupMillis() {
        return Math.toIntExact(times.lookup().toMillis());
    }
}
