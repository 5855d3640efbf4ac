package dev.postrider.destination.kafka;

import dev.postrider.spi.ReceiverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** Sees to it that the topics of a receiver are there before it starts. */
final class ReceiverTopics {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String receiver;
    private final Admin admin;
    private final Optional<TopicCreation> creation;

    ReceiverTopics(String receiver, Admin admin, Optional<TopicCreation> creation) {
        this.receiver = receiver;
        this.admin = admin;
        this.creation = creation;
    }

    /**
     * Makes the topics that are missing, if that is allowed.
     *
     * @throws ReceiverException if one is missing, or the broker refuses or does not answer
     */
    void prepare(List<String> subscribed, RetryPlan plan) {
        List<NewTopic> missing = new ArrayList<>();
        subscribed.stream().filter(this::isMissing).forEach(topic -> missing.add(wanted(topic)));
        plan.ownTopics().stream()
                .filter(this::isMissing)
                .forEach(topic -> missing.add(wanted(topic).configs(settings(topic, plan))));
        missing.forEach(this::create);
    }

    private boolean isMissing(String topic) {
        try {
            get(admin.describeTopics(List.of(topic)).allTopicNames());
            return false;
        } catch (ExecutionException failed) {
            if (KafkaFailures.isUnknownTopic(failed)) {
                return true;
            }
            throw ReceiveFailures.notStarted(receiver, failed);
        }
    }

    private NewTopic wanted(String topic) {
        return creation.orElseThrow(() -> new ReceiverException("Receiver " + receiver + " cannot start: Kafka topic "
                        + topic + " does not exist; create it, or allow createTopics"))
                .newTopic(topic);
    }

    /** What is parked waits for a person, and so must not run out of time by itself. */
    private static Map<String, String> settings(String topic, RetryPlan plan) {
        String size = Integer.toString(ConsumerProperties.LARGEST_RECORD);
        return topic.equals(plan.parkingTopic())
                ? Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, size, TopicConfig.RETENTION_MS_CONFIG, "-1")
                : Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, size);
    }

    private void create(NewTopic topic) {
        try {
            get(admin.createTopics(List.of(topic)).all());
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw ReceiveFailures.notStarted(receiver, failed);
            }
        }
    }

    private <T> T get(KafkaFuture<T> answer) throws ExecutionException {
        try {
            return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | KafkaException failed) {
            throw ReceiveFailures.notStarted(receiver, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw ReceiveFailures.notStarted(receiver, interrupted);
        }
    }
}
