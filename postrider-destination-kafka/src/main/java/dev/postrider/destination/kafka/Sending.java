package dev.postrider.destination.kafka;

import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/** One record on its way. */
final class Sending {

    final ProducerRecord<byte[], byte[]> record;
    final int bytes;
    final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
    private final long mustHaveRoomAt;

    Sending(ProducerRecord<byte[], byte[]> record, Duration patience) {
        this.record = record;
        this.bytes = record.value().length;
        this.mustHaveRoomAt = System.nanoTime() + patience.toNanos();
    }

    /** Whether it may still wait for room in the producer's buffer. */
    boolean mayWait() {
        return System.nanoTime() - mustHaveRoomAt < 0;
    }
}
