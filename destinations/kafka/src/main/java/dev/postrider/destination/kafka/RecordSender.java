package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.FencedLanes.SendOutcomes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.SendWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Producer;

/**
 * Gives records to the producer without blocking the relay, and says how each ended.
 *
 * <p>A record goes straight to the producer when its topic is known and the producer's buffer surely has room. Otherwise it waits in
 * the line of its topic, and no later record of that topic passes it. Records of a fenced lane go to the lane's own producer.
 */
final class RecordSender implements SendOutcomes {

    private static final int MAX_IN_A_ROW = 100;

    private final KafkaClients clients;
    private final TopicLookup topics;
    private final ClusterHealth health;
    private final Executor helper;
    private final SendWindow window;
    private final long roomyBytes;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final TopicLines lines = new TopicLines();
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
    boolean begin(OutgoingRecord sending) {
        return window.enter(() -> start(sending), () -> startLater(sending));
    }

    private void start(OutgoingRecord sending) {
        bytesInFlight.addAndGet(sending.bytes);
        if (lines.join(sending)) {
            return;
        }
        boolean isGiven = topics.isKnown(sending.topic()) && hasRoomFor(sending) && give(sending);
        if (!isGiven && lines.open(sending)) {
            serveLine(sending.topic());
        }
    }

    /** Whoever makes room is the producer's own thread, which must not wait for that producer. */
    private void startLater(OutgoingRecord sending) {
        bytesInFlight.addAndGet(sending.bytes);
        if (lines.open(sending)) {
            serveLine(sending.topic());
        }
    }

    private boolean hasRoomFor(OutgoingRecord sending) {
        return goesToFencedLane(sending) || bytesInFlight.get() <= roomyBytes;
    }

    private boolean goesToFencedLane(OutgoingRecord sending) {
        return lanes.isPresent() && sending.tenure.isPresent();
    }

    /** Never blocks: a topic is found by a future, and the helper waits for room. */
    private void serveLine(String topic) {
        if (topics.isKnown(topic)) {
            giveLineOnHelper(topic);
            return;
        }
        var unused = topics.find(topic).whenComplete((found, failure) -> {
            if (failure == null) {
                giveLineOnHelper(topic);
            } else {
                lines.removeAll(topic).forEach(sending -> failed(sending, failure));
            }
        });
    }

    private void giveLineOnHelper(String topic) {
        try {
            helper.execute(() -> giveLine(topic));
        } catch (RejectedExecutionException closed) {
            DeliveryResult result = DeliveryResult.outage("The destination is closed", closed);
            lines.removeAll(topic).forEach(sending -> end(sending, result));
        }
    }

    /** A part of a long line at a time: the helper serves other topics too. */
    private void giveLine(String topic) {
        for (int i = 0; i < MAX_IN_A_ROW; i++) {
            OutgoingRecord next = lines.first(topic);
            if (next == null) {
                return;
            }
            giveWhenThereIsRoom(next);
            lines.removeFirst(topic);
        }
        giveLineOnHelper(topic);
    }

    /** Those at the end of a long line have no time left to be delivered in. */
    private void giveWhenThereIsRoom(OutgoingRecord sending) {
        boolean isGiven = false;
        while (!isGiven && (sending.mayWait() || hasRoomFor(sending))) {
            isGiven = give(sending);
        }
        if (!isGiven) {
            failed(sending, new BufferExhaustedException("No room in time among the records on their way"));
        }
    }

    /** Hands it on, or ends it; false if the producer has no room for it. */
    private boolean give(OutgoingRecord sending) {
        try {
            if (goesToFencedLane(sending)) {
                lanes.orElseThrow().give(sending, sending.tenure.orElseThrow());
                return true;
            }
            return give(sending, clients.producer());
        } catch (RuntimeException noProducer) {
            failed(sending, noProducer);
            return true;
        }
    }

    private boolean give(OutgoingRecord sending, Producer<byte[], byte[]> producer) {
        sending.foundNoRoom = false;
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
        return !sending.foundNoRoom;
    }

    private void ended(OutgoingRecord sending, Exception failure) {
        if (failure == null) {
            end(sending, DeliveryResult.DELIVERED);
        } else if (failure instanceof BufferExhaustedException) {
            // The producer says so before its send returns.
            sending.foundNoRoom = true;
        } else {
            failed(sending, failure);
        }
    }

    @Override
    public void failed(OutgoingRecord sending, Throwable failure) {
        String topic = sending.topic();
        Failed result = KafkaFailures.of(failure, topic);
        if (KafkaFailures.isUnknownTopic(failure)) {
            topics.forget(topic);
        }
        if (result instanceof DeliveryResult.Outage) {
            health.suspect(topic);
        }
        end(sending, result instanceof Unavailable place ? place.concerningTopic(sending.isTopicOfMessage) : result);
    }

    /** Makes room first: whoever learns the result may send again at once. */
    @Override
    public void end(OutgoingRecord sending, DeliveryResult result) {
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
