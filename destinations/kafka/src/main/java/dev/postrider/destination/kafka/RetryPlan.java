package dev.postrider.destination.kafka;

import dev.postrider.relay.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a failed record is tried again, and where it goes in the end.
 *
 * @param group the consumer group, after which own topics are called
 * @param maxAttempts how often a record is handed over before it is parked
 * @param backoff how long a record waits where it is
 * @param delays of the retry topics; empty if records wait where they are
 */
record RetryPlan(String group, int maxAttempts, Backoff backoff, List<Duration> delays, String parkingTopic) {

    RetryPlan {
        delays = List.copyOf(delays);
    }

    boolean isInPlace() {
        return delays.isEmpty();
    }

    List<String> retryTopics() {
        List<String> topics = new ArrayList<>();
        for (int number = 1; number <= delays.size(); number++) {
            topics.add(retryTopic(number));
        }
        return topics;
    }

    private String retryTopic(int number) {
        return group + ".retry." + number;
    }

    /** After the first attempt the first topic, and so on; the last one for all that follow. */
    String retryTopicAfter(int attempt) {
        return retryTopic(Math.min(attempt, delays.size()));
    }

    /** How long records of this topic wait, if it is a retry topic. */
    Optional<Duration> delayOf(String topic) {
        int index = retryTopics().indexOf(topic);
        return index < 0 ? Optional.empty() : Optional.of(delays.get(index));
    }

    /** The topics that belong to the group alone. */
    List<String> ownTopics() {
        List<String> own = retryTopics();
        own.add(parkingTopic);
        return own;
    }
}
