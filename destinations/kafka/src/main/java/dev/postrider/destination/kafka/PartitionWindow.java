package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.destination.kafka.IncomingRecord.State;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The records of one partition from the first that is not done with: what may be committed, and which record of a key is next.
 *
 * <p>Guarded by the lock of {@link Intake}. A partition that is taken away and given back has a new window, so that settling what was
 * handed over before has no effect.
 */
final class PartitionWindow {

    final TopicPartition partition;
    private final ArrayDeque<IncomingRecord> records = new ArrayDeque<>();
    private final Map<String, ArrayDeque<IncomingRecord>> byKey = new HashMap<>();
    private long position = -1;
    private long committed = -1;
    private int busy;
    private boolean isLeaving;
    private boolean isGone;

    PartitionWindow(TopicPartition partition) {
        this.partition = partition;
    }

    /** Puts a record behind those of its key; says whether it is the first. */
    boolean add(IncomingRecord record) {
        records.add(record);
        if (record.key.isEmpty()) {
            return true;
        }
        ArrayDeque<IncomingRecord> queue = byKey.computeIfAbsent(record.key.get(), key -> new ArrayDeque<>());
        queue.add(record);
        return queue.size() == 1;
    }

    /** Forgets the data of a record; returns the next of its key. */
    Optional<IncomingRecord> finish(IncomingRecord record) {
        record.markDone();
        while (!records.isEmpty() && records.element().state == State.DONE) {
            position = records.remove().offset + 1;
        }
        return record.key.flatMap(this::nextOf);
    }

    private Optional<IncomingRecord> nextOf(String key) {
        ArrayDeque<IncomingRecord> queue = requireNonNull(byKey.get(key));
        queue.remove();
        if (queue.isEmpty()) {
            byKey.remove(key);
        }
        return Optional.ofNullable(queue.peek());
    }

    /** How far the newest record is from the first that is not done with. */
    int size() {
        return records.size();
    }

    Iterable<IncomingRecord> records() {
        return records;
    }

    /** The offset from which another consumer would have to go on, if it is not committed yet. */
    Optional<Long> uncommitted() {
        return position > committed ? Optional.of(position) : Optional.empty();
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }

    void busy(int change) {
        busy += change;
    }

    /** Whether none of its records is with a handler or on its way to another topic. */
    boolean isQuiet() {
        return busy == 0;
    }

    /** Hands over nothing more, but takes settlements. */
    void leave() {
        isLeaving = true;
    }

    /** Whether its records may be handed over. */
    boolean isOpen() {
        return !isLeaving;
    }

    /** Takes no settlements any more: the partition is somebody else's. */
    void end() {
        isLeaving = true;
        isGone = true;
    }

    boolean isGone() {
        return isGone;
    }
}
