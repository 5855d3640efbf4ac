package dev.postrider.destination.kafka;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneTenure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/** One record on its way. */
final class OutgoingRecord {

    final ProducerRecord<byte[], byte[]> record;

    /** Whether the record's topic is the message's own. */
    final boolean isTopicOfMessage;

    /** On whose behalf it goes through the producer of its lane; empty if it goes through the common one. */
    final Optional<LaneTenure> tenure;

    final int bytes;
    final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();

    /** The producer had no room for it when it was given last. */
    boolean foundNoRoom;

    private final long since = System.nanoTime();
    private final Duration patience;

    OutgoingRecord(
            ProducerRecord<byte[], byte[]> record,
            boolean isTopicOfMessage,
            Optional<LaneTenure> tenure,
            Duration patience) {
        this.record = record;
        this.isTopicOfMessage = isTopicOfMessage;
        this.tenure = tenure;
        this.bytes = bytesOf(record);
        this.patience = patience;
    }

    String topic() {
        return record.topic();
    }

    private static int bytesOf(ProducerRecord<byte[], byte[]> record) {
        int bytes = record.value().length;
        for (Header header : record.headers()) {
            bytes += header.key().length() + header.value().length;
        }
        return bytes;
    }

    /** Whether it may still wait for room in the producer's buffer. */
    boolean mayWait() {
        return !hasWaitedFor(patience);
    }

    boolean hasWaitedFor(Duration time) {
        return System.nanoTime() - since >= time.toNanos();
    }
}
