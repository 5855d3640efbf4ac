package dev.postrider.destination.kafka;

import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the topics are still there: Kafka's consumer would poll a deleted one for ever, and receive nothing.
 *
 * <p>A topic that two looks in a row do not find is gone; one alone may have met a broker that has just started. Never blocks.
 */
final class TopicWatch implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final KafkaClients clients;
    private final List<String> topics;
    private final Consumer<Throwable> whenGone;
    private volatile boolean wasMissing;

    /** @param whenGone is told why, each time that a topic is missing again */
    TopicWatch(KafkaClients clients, List<String> topics, Consumer<Throwable> whenGone) {
        this.clients = clients;
        this.topics = List.copyOf(topics);
        this.whenGone = whenGone;
    }

    void start(Timer timer) {
        timer.every(PAUSE, this);
    }

    @Override
    public void run() {
        try {
            var unused = clients.admin()
                    .describeTopics(topics)
                    .allTopicNames()
                    .whenComplete((found, failure) -> looked(failure));
        } catch (KafkaException | IllegalStateException closing) {
            LOG.debug("Cannot look for topics", closing);
        }
    }

    private void looked(@Nullable Throwable failure) {
        boolean isMissing = failure != null && KafkaFailures.isUnknownTopic(failure);
        if (failure != null && isMissing && wasMissing) {
            whenGone.accept(KafkaFailures.unwrapped(failure));
        }
        wasMissing = isMissing;
    }
}
