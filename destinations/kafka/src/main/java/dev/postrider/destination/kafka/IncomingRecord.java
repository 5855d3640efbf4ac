package dev.postrider.destination.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record that was fetched and is not committed. What changes is guarded by the lock of {@link OpenPartitions}. */
final class IncomingRecord {

    final PartitionWindow window;
    final long offset;
    final int bytes;
    private @Nullable ConsumerRecord<byte[], byte[]> record;

    IncomingRecord(PartitionWindow window, ConsumerRecord<byte[], byte[]> record) {
        this.window = window;
        this.offset = record.offset();
        this.bytes = sizeOf(record);
        this.record = record;
    }

    private static int sizeOf(ConsumerRecord<byte[], byte[]> record) {
        int size = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        for (Header header : record.headers()) {
            size += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return size;
    }

    ConsumerRecord<byte[], byte[]> record() {
        ConsumerRecord<byte[], byte[]> present = record;
        if (present == null) {
            throw new IllegalStateException("The record is done with");
        }
        return present;
    }

    boolean isDone() {
        return record == null;
    }

    /** Lets go of the data: a record that is done with may have to wait long for an earlier one. */
    void markDone() {
        record = null;
    }

    /** For people. */
    @Override
    public String toString() {
        return "The record at " + offset + " of " + window.partition;
    }
}
