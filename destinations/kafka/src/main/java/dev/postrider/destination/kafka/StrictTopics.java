package dev.postrider.destination.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Topics at which a broker found a record invalid not long ago: one without a key, for example, where the topic is compacted.
 *
 * <p>An invalid record fails the whole batch that it is in, and those behind it would need another producer each time. There each record of
 * a run waits for the one before. Thread-safe.
 */
final class StrictTopics {

    private static final long STRICT_NANOS = Duration.ofMinutes(1).toNanos();

    private final Map<String, Long> since = new ConcurrentHashMap<>();

    void add(String topic) {
        since.put(topic, System.nanoTime());
    }

    boolean contains(String topic) {
        Long last = since.get(topic);
        if (last == null) {
            return false;
        }
        boolean isStrict = System.nanoTime() - last < STRICT_NANOS;
        return isStrict || !since.remove(topic, last);
    }
}
