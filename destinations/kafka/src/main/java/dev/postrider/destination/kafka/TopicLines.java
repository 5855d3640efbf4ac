package dev.postrider.destination.kafka;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that wait for their topic or for room, first in, first out for each topic.
 *
 * <p>A record stays in its line until it was given to the producer, so that no later one of its topic passes it meanwhile.
 * Whoever opens a line serves it until it is empty. Thread-safe.
 */
final class TopicLines {

    private final Map<String, Queue<OutgoingRecord>> lines = new ConcurrentHashMap<>();

    /** Lets it wait behind others of its topic; false if none of them waits. */
    boolean join(OutgoingRecord sending) {
        return lines.computeIfPresent(sending.topic(), (topic, line) -> add(line, sending)) != null;
    }

    /** Lets it wait, and says whether it is the first: then the caller has opened a line. */
    boolean open(OutgoingRecord sending) {
        // Told inside: another may join before the size could be read, and then neither would serve the line.
        boolean[] isFirst = new boolean[1];
        lines.compute(sending.topic(), (topic, line) -> {
            isFirst[0] = line == null;
            return add(line == null ? new ArrayDeque<>() : line, sending);
        });
        return isFirst[0];
    }

    private static Queue<OutgoingRecord> add(Queue<OutgoingRecord> line, OutgoingRecord sending) {
        line.add(sending);
        return line;
    }

    @Nullable
    OutgoingRecord first(String topic) {
        OutgoingRecord[] first = new OutgoingRecord[1];
        lines.computeIfPresent(topic, (name, line) -> {
            first[0] = line.peek();
            return line;
        });
        return first[0];
    }

    /** Removes the first, which was given on or has failed; with the last one the line ends. */
    void removeFirst(String topic) {
        lines.computeIfPresent(topic, (name, line) -> {
            line.remove();
            return line.isEmpty() ? null : line;
        });
    }

    /** Ends the line. */
    List<OutgoingRecord> removeAll(String topic) {
        Queue<OutgoingRecord> line = lines.remove(topic);
        return line == null ? List.of() : List.copyOf(line);
    }
}
