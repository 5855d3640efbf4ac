package dev.postrider.destination.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Finds topics before their first record is given to the producer, which would block its caller meanwhile.
 *
 * <p>The admin client asks for a topic without occupying a thread, so that any number of missing topics hold up nothing. Only
 * when the topic is there, a thread of our own lets the producer learn of it.
 */
final class TopicLookup {

    private static final Duration NOTED_EVERY = Duration.ofSeconds(1);

    private final KafkaClients clients;
    private final SendTimes times;
    private final Optional<TopicCreation> creation;
    private final Executor helper;
    private final Duration remembered;
    private final Map<String, Long> lastUsed = new ConcurrentHashMap<>();

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

    /** Whether the producer surely knows the topic and so will not wait for it. Asked for every message, it rarely writes. */
    boolean isKnown(String topic) {
        Long last = lastUsed.get(topic);
        long now = System.nanoTime();
        return last != null && (now - last < NOTED_EVERY.toNanos() || isStillKnown(topic, now));
    }

    private boolean isStillKnown(String topic, long now) {
        return lastUsed.computeIfPresent(topic, (name, last) -> now - last < remembered.toNanos() ? now : null) != null;
    }

    void forget(String topic) {
        lastUsed.remove(topic);
    }

    /** Completes when the producer knows the topic, or with the reason why it does not. */
    CompletionStage<Void> find(String topic) {
        return lookUp(topic).whenComplete((found, failure) -> {
            if (failure == null) {
                lastUsed.put(topic, System.nanoTime());
            }
        });
    }

    private CompletionStage<Void> lookUp(String topic) {
        long deadline = System.nanoTime() + times.lookup().toNanos();
        try {
            return describe(topic)
                    .exceptionallyCompose(failure -> createIfMissing(topic, failure))
                    .thenRunAsync(() -> teachProducer(topic, deadline), helper);
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

    private void teachProducer(String topic, long deadline) {
        while (true) {
            try {
                clients.producer().partitionsFor(topic);
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
