package dev.postrider.destination.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions that a receiver owns: how many records it has of each, and what can be committed. The polling thread adds records,
 * settling threads finish them. Thread-safe.
 */
final class OpenPartitions {

    private final int maxUncommitted;
    private final long maxBytes;
    private final Map<TopicPartition, PartitionWindow> windows = new HashMap<>();
    private long bytes;

    OpenPartitions(int maxUncommitted, long maxBytes) {
        this.maxUncommitted = maxUncommitted;
        this.maxBytes = maxBytes;
    }

    synchronized void open(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> windows.put(partition, new PartitionWindow(partition)));
    }

    synchronized Optional<PartitionWindow> window(TopicPartition partition) {
        return Optional.ofNullable(windows.get(partition));
    }

    synchronized void add(IncomingRecord record) {
        record.window.add(record);
        bytes += record.bytes;
    }

    /** The record is done with, by its handler or because another topic has it, or nobody wants it. */
    synchronized void finish(IncomingRecord record) {
        if (!record.window.isGone() && !record.isDone()) {
            bytes -= record.bytes;
            record.window.finish(record);
        }
    }

    /** Partitions from which nothing more should be fetched for now. */
    synchronized Set<TopicPartition> full() {
        Set<TopicPartition> full = new HashSet<>();
        windows.values().stream()
                .filter(window -> bytes >= maxBytes || window.size() >= maxUncommitted)
                .forEach(window -> full.add(window.partition));
        return full;
    }

    /** What can be committed and is not: of each partition the first record that is not done with. */
    synchronized Map<TopicPartition, OffsetAndMetadata> uncommitted() {
        return positions(windows.values());
    }

    private static Map<TopicPartition, OffsetAndMetadata> positions(Collection<PartitionWindow> windows) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        windows.forEach(window -> window.uncommitted()
                .ifPresent(offset -> positions.put(window.partition, new OffsetAndMetadata(offset))));
        return positions;
    }

    synchronized void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach(
                (partition, offset) -> window(partition).ifPresent(window -> window.committed(offset.offset())));
    }

    /** Lets nothing more of these be handed over. */
    synchronized List<PartitionWindow> leave(Collection<TopicPartition> partitions) {
        List<PartitionWindow> leaving =
                partitions.stream().map(windows::get).filter(Objects::nonNull).toList();
        leaving.forEach(PartitionWindow::leave);
        return leaving;
    }

    /** Lets them go; returns what can be committed for them. */
    synchronized Map<TopicPartition, OffsetAndMetadata> end(List<PartitionWindow> leaving) {
        Map<TopicPartition, OffsetAndMetadata> positions = positions(leaving);
        leaving.forEach(window -> {
            bytes -= window.bytes();
            window.end();
            windows.remove(window.partition);
        });
        return positions;
    }

    synchronized List<TopicPartition> all() {
        return List.copyOf(windows.keySet());
    }
}
