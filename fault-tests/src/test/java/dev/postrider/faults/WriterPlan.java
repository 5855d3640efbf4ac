package dev.postrider.faults;

import java.util.List;

/**
 * What writers do.
 *
 * @param keys how many keys there are
 * @param longestPauseMillis between two transactions of a writer
 */
record WriterPlan(int writers, int keys, List<String> topics, int payloadBytes, int longestPauseMillis) {

    static WriterPlan usual() {
        return new WriterPlan(5, 40, List.of("orders"), 100, 20);
    }

    /** Little to write for few keys: for tests in which many messages have to wait. */
    static WriterPlan fewKeys() {
        return new WriterPlan(3, 12, List.of("orders"), 100, 100);
    }

    WriterPlan withTopics(String... values) {
        return new WriterPlan(writers, keys, List.of(values), payloadBytes, longestPauseMillis);
    }

    String key(int number) {
        return "key-" + number;
    }
}
