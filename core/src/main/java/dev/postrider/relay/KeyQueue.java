package dev.postrider.relay;

import java.util.ArrayDeque;
import java.util.List;

/**
 * The messages in memory that must go out one after the other: those of one key and destination.
 *
 * <p>Either all come from the hot table or all from the held table. The head is ready, in flight, or waits for its outcome
 * to be recorded; the others wait for the head.
 */
final class KeyQueue {

    final QueueKey key;
    final boolean held;

    /** Something of this key is held: what follows the head goes behind it as soon as the head has ended. */
    boolean yieldsToHeld;

    private final ArrayDeque<TrackedMessage> entries = new ArrayDeque<>();

    KeyQueue(QueueKey key, boolean held) {
        this.key = key;
        this.held = held;
    }

    void append(TrackedMessage entry) {
        entry.queue = this;
        entries.add(entry);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    TrackedMessage head() {
        return entries.peek();
    }

    long lastSeq() {
        return entries.getLast().ref.seq();
    }

    /** Takes the head away, which has ended. */
    void removeHead() {
        entries.poll();
    }

    /** Takes away what waits; returns whether nothing is left. */
    boolean dropWaiting() {
        entries.removeIf(TrackedMessage::isWaiting);
        return entries.isEmpty();
    }

    /** Takes away and returns everything. */
    List<TrackedMessage> removeAll() {
        List<TrackedMessage> all = List.copyOf(entries);
        entries.clear();
        return all;
    }

    /** What has one order: a key at a destination; under global order the key is empty. */
    record QueueKey(WorkerGate gate, String key) {}
}
