package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.FencedLanes.SendOutcomes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.SendWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Producer;

/**
 * Gives records to the producer without blocking the relay, and says how each ended.
 *
 * <p>A record goes straight to the producer when its topic is known and the producer's buffer surely has room. Otherwise it waits:
 * for its topic by a future, for its turn and for room on the destination's own thread. The relay sends one message of a key at
 * a time, so a record that waits is overtaken by none of its key. Records of a fenced lane go to the lane's own producer.
 */
final class RecordSender implements SendOutcomes {

    private final KafkaClients clients;
    private final TopicLookup topics;
    private final ClusterHealth health;
    private final Executor helper;
    private final SendWindow window;
    private final long roomyBytes;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final Optional<FencedLanes> lanes;

    RecordSender(
            KafkaClients clients,
            TopicLookup topics,
            ClusterHealth health,
            Executor helper,
            int maxInFlight,
            long bufferBytes,
            Function<SendOutcomes, Optional<FencedLanes>> lanes) {
        this.clients = clients;
        this.topics = topics;
        this.health = health;
        this.helper = helper;
        this.window = new SendWindow(maxInFlight);
        // Kafka's buffer is divided into batches that are rarely full.
        this.roomyBytes = bufferBytes / 2;
        this.lanes = lanes.apply(this);
    }

    /** Begins, or lets it wait for its turn; false if too many wait. */
    boolean begin(Sending sending) {
        return window.enter(() -> start(sending), () -> startLater(sending));
    }

    private void start(Sending sending) {
        bytesInFlight.addAndGet(sending.bytes);
        findTopic(sending);
    }

    /** Whoever makes room is the producer's own thread, which must not wait for that producer. */
    private void startLater(Sending sending) {
        bytesInFlight.addAndGet(sending.bytes);
        onOwnThread(sending, this::findTopic);
    }

    private void findTopic(Sending sending) {
        if (topics.isKnown(sending.record.topic())) {
            giveOrWaitForRoom(sending);
            return;
        }
        var unused = topics.find(sending.record.topic()).whenComplete((found, failure) -> {
            if (failure == null) {
                giveOrWaitForRoom(sending);
            } else {
                failed(sending, failure);
            }
        });
    }

    private void giveOrWaitForRoom(Sending sending) {
        if (lanes.isPresent() && sending.tenure.isPresent()) {
            lanes.get().give(sending, sending.tenure.get());
        } else if (bytesInFlight.get() <= roomyBytes) {
            give(sending);
        } else {
            onOwnThread(sending, this::give);
        }
    }

    /** Those at the end of a long queue have no time left to be delivered in. */
    private void onOwnThread(Sending sending, Consumer<Sending> step) {
        try {
            helper.execute(() -> {
                if (sending.mayWait()) {
                    step.accept(sending);
                } else {
                    failed(sending, new BufferExhaustedException("No room in time among the records on their way"));
                }
            });
        } catch (RejectedExecutionException closed) {
            end(sending, DeliveryResult.outage("The destination is closed", closed));
        }
    }

    private void give(Sending sending) {
        try {
            Producer<byte[], byte[]> producer = clients.producer();
            give(sending, producer);
        } catch (RuntimeException noProducer) {
            failed(sending, noProducer);
        }
    }

    private void give(Sending sending, Producer<byte[], byte[]> producer) {
        try {
            var unused = producer.send(sending.record, (metadata, failure) -> ended(sending, failure));
        } catch (RuntimeException | Error refused) {
            // Whatever it is, it must end, or its place stays taken; after an Error only the producer's end is the end
            // of it.
            if (refused instanceof Error || KafkaFailures.isFatal(refused)) {
                clients.discard(producer);
            }
            failed(sending, refused);
        }
    }

    private void ended(Sending sending, Exception failure) {
        if (failure == null) {
            end(sending, DeliveryResult.DELIVERED);
        } else if (failure instanceof BufferExhaustedException && sending.mayWait()) {
            onOwnThread(sending, this::give);
        } else {
            failed(sending, failure);
        }
    }

    @Override
    public void failed(Sending sending, Throwable failure) {
        String topic = sending.record.topic();
        Failed result = KafkaFailures.of(failure, topic);
        if (KafkaFailures.isUnknownTopic(failure)) {
            topics.forget(topic);
        }
        if (result instanceof DeliveryResult.Outage) {
            health.suspect(topic);
        }
        end(sending, result);
    }

    /** Makes room first: whoever learns the result may send again at once. */
    @Override
    public void end(Sending sending, DeliveryResult result) {
        bytesInFlight.addAndGet(-sending.bytes);
        window.leave();
        sending.result.complete(result);
    }

    /** Waits for the transactions of fenced lanes up to the time-out, and ends their producers. */
    void close(Duration timeout) {
        lanes.ifPresent(fenced -> {
            try {
                window.awaitEmpty(timeout);
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
            fenced.close();
        });
    }
}
