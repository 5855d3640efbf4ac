package dev.postrider.prove.write;

import java.time.Duration;
import java.util.List;

/**
 * What writers do.
 *
 * @param writers how many there are
 * @param keys of their messages
 * @param topics of their messages, chosen at random
 * @param pace how often each of them begins a transaction; zero for one right after the other, none of them slow
 * @param form of their messages
 */
public record WriterPlan(int writers, KeyChoice keys, List<String> topics, Duration pace, MessageForm form) {

    public WriterPlan {
        topics = List.copyOf(topics);
    }

    /** The same for other topics. */
    public WriterPlan withTopics(String... others) {
        return new WriterPlan(writers, keys, List.of(others), pace, form);
    }
}
