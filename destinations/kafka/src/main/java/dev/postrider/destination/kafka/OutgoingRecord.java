package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.TraceAttributes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** One record on its way. */
final class OutgoingRecord {

    /** Whether the record's topic is the message's own. */
    final boolean isTopicOfMessage;

    final KeyRun run;

    /** Of the attempt; current while a producer takes it. */
    final TraceSpan span;

    final int bytes;
    final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();

    /** With its partition as soon as that is known. */
    ProducerRecord<byte[], byte[]> record;

    /** Where it waits, and its place there. */
    @Nullable
    RunLine line;

    long position;

    boolean hasWaitedForItsTurn;
    boolean hasBegun;

    /** The producer had no room for it when it was given last. */
    boolean foundNoRoom;

    private final long since = System.nanoTime();
    private final Duration patience;

    OutgoingRecord(
            ProducerRecord<byte[], byte[]> record, boolean isTopicOfMessage, SendContext context, Duration patience) {
        this.record = record;
        this.isTopicOfMessage = isTopicOfMessage;
        this.run = context.run();
        this.span = context.span();
        this.bytes = bytesOf(record);
        this.patience = patience;
    }

    /** Gives it to a producer, whose interceptors see its span. */
    void give(Producer<byte[], byte[]> producer, Callback onEnd) {
        TraceContext.Scope scope = span.makeCurrent();
        try {
            var unused = producer.send(record, onEnd);
        } finally {
            scope.close();
        }
    }

    /** The producer has it at the broker; tells the span where. */
    void acknowledged(RecordMetadata at) {
        if (span != TraceSpan.NONE) {
            span.tag(TraceAttributes.TOPIC, at.topic());
            span.tag(TraceAttributes.PARTITION, Integer.toString(at.partition()));
        }
    }

    RunLine line() {
        return requireNonNull(line);
    }

    String topic() {
        return record.topic();
    }

    private static int bytesOf(ProducerRecord<byte[], byte[]> record) {
        int bytes = record.value().length + (record.key() == null ? 0 : record.key().length);
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
