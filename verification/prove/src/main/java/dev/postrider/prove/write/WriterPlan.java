package dev.postrider.prove.write;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What writers do.
 *
 * @param writers how many there are
 * @param keys of their messages
 * @param topics of their messages, chosen at random
 * @param pace how often each of them begins a transaction; zero for one right after the other, none of them slow
 * @param payload of a message
 */
public record WriterPlan(int writers, KeyChoice keys, List<String> topics, Duration pace, Payload payload) {

    public WriterPlan {
        topics = List.copyOf(topics);
    }

    /** Makes payloads from which number, and key if need be, can be read again. */
    @FunctionalInterface
    public interface Payload {

        byte[] of(Optional<String> key, long n);
    }

    /** The same for other topics. */
    public WriterPlan withTopics(String... others) {
        return new WriterPlan(writers, keys, List.of(others), pace, payload);
    }
}
