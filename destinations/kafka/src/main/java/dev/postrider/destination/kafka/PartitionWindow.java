package dev.postrider.destination.kafka;

import java.util.ArrayDeque;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The records of one partition from the first that is not done with: what may be committed.
 *
 * <p>Guarded by the lock of {@link OpenPartitions}, but for the two states, which anybody may ask for. A partition that is revoked and
 * assigned again has a new window, so that settling what was handed over before has no effect.
 */
final class PartitionWindow {

    final TopicPartition partition;
    private final ArrayDeque<IncomingRecord> records = new ArrayDeque<>();
    private long position = -1;
    private long committed = -1;
    private volatile boolean isLeaving;
    private volatile boolean isGone;

    PartitionWindow(TopicPartition partition) {
        this.partition = partition;
    }

    void add(IncomingRecord record) {
        records.add(record);
    }

    void finish(IncomingRecord record) {
        record.markDone();
        while (!records.isEmpty() && records.element().isDone()) {
            position = records.remove().offset + 1;
        }
    }

    /** How far the newest record is from the first that is not done with. */
    int size() {
        return records.size();
    }

    long bytes() {
        return records.stream()
                .filter(record -> !record.isDone())
                .mapToLong(record -> record.bytes)
                .sum();
    }

    /** The offset from which another consumer would have to go on, if it is not committed yet. */
    Optional<Long> uncommitted() {
        return position > committed ? Optional.of(position) : Optional.empty();
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }

    /** Hands over nothing more, but takes settlements. */
    void leave() {
        isLeaving = true;
    }

    boolean isLeaving() {
        return isLeaving;
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
