package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.FencedLanes.SendOutcomes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Delivered;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendWindow;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.TopicPartition;

/**
 * Lets records begin in the order of their runs without blocking the relay, and says how each ended.
 *
 * <p>Each run has a line, in which its records wait for their topic, for room in the producer's buffer, and for those before them that
 * went another way. A record goes straight to the producer when none of this is missing; whatever may block is done by the helper.
 * Records of a fenced lane go to the lane's own producer.
 *
 * <p>What takes effect of a run is a prefix of it, but for what was rejected: {@link ProducerSends} and {@link FencedLane} see to that.
 */
final class RecordSender implements SendOutcomes {

    private static final int MAX_IN_A_ROW = 100;
    static final DeliveryResult BROKEN_OFF =
            DeliveryResult.abandoned("An earlier message of its key was not delivered");
    private static final DeliveryResult LATE =
            DeliveryResult.abandoned("Messages that were sent before it took too long to be delivered");

    private final KafkaClients clients;
    private final TopicLookup topics;
    private final RecordPartitions partitions;
    private final RecordFailures failures;
    private final ProducerSends producers;
    private final Executor helper;
    private final SendWindow window;
    private final long roomyBytes;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final Map<KeyRun, RunLine> lines = new ConcurrentHashMap<>();
    private Optional<FencedLanes> lanes = Optional.empty();

    RecordSender(
            KafkaDestinationBuilder options,
            KafkaClients clients,
            TopicLookup topics,
            RecordFailures failures,
            Executor helper) {
        this.clients = clients;
        this.topics = topics;
        this.partitions = new RecordPartitions(options.hasOwnPartitioner());
        this.failures = failures;
        this.producers = new ProducerSends(clients, failures, this);
        this.helper = helper;
        this.window = new SendWindow(options.maxInFlight);
        // Kafka's buffer is divided into batches that are rarely full.
        this.roomyBytes = options.bufferBytes() / 2;
    }

    /** Sends messages of a relay by the producers of their lanes. Before the first message. */
    void fence(FencedLanes fenced) {
        this.lanes = Optional.of(fenced);
    }

    /** Begins, or lets it wait for its turn; false if too many wait. */
    boolean begin(OutgoingRecord sending) {
        return window.enter(() -> start(sending), () -> startLater(sending));
    }

    private void start(OutgoingRecord sending) {
        RunLine line = joinLine(sending);
        if (line.startServing()) {
            serve(line, false);
        }
    }

    /**
     * Whoever makes room is the producer's own thread, which must not wait for that producer. One that has waited for long has no time left to be delivered in.
     */
    private void startLater(OutgoingRecord sending) {
        sending.hasWaitedForItsTurn = true;
        RunLine line = joinLine(sending);
        if (line.startServing()) {
            serveOnHelper(line);
        }
    }

    private RunLine joinLine(OutgoingRecord sending) {
        bytesInFlight.addAndGet(sending.bytes);
        return lines.compute(sending.run, (run, open) -> {
            RunLine line = open == null ? new RunLine() : open;
            line.add(sending);
            sending.line = line;
            return line;
        });
    }

    private void serveOnHelper(RunLine line) {
        try {
            helper.execute(() -> serve(line, true));
        } catch (RejectedExecutionException closed) {
            DeliveryResult result = DeliveryResult.outage("The destination is closed", closed);
            for (OutgoingRecord next = line.first(); next != null; next = line.first()) {
                endFirst(line, next, result);
            }
        }
    }

    /** A part of a long line at a time: the helper serves others too. */
    private void serve(RunLine line, boolean mayBlock) {
        for (int i = 0; i < MAX_IN_A_ROW; i++) {
            OutgoingRecord first = line.first();
            if (first == null || !serve(line, first, mayBlock)) {
                return;
            }
        }
        serveOnHelper(line);
    }

    /** Whether the first has begun or ended, so that it is the next one's turn; otherwise the line is served later. */
    private boolean serve(RunLine line, OutgoingRecord first, boolean mayBlock) {
        if (first.run.isBroken()) {
            endFirst(line, first, BROKEN_OFF);
            return true;
        }
        if (first.hasWaitedForItsTurn && !first.mayWait()) {
            endFirst(line, first, LATE);
            return true;
        }
        try {
            return serve(line, first, clients.producer(), mayBlock);
        } catch (RuntimeException noProducer) {
            failFirst(line, first, noProducer);
            return true;
        }
    }

    private boolean serve(RunLine line, OutgoingRecord first, SharedProducer producer, boolean mayBlock) {
        if (!topics.isKnown(first.topic(), producer)) {
            findTopic(line, first, producer);
            return false;
        }
        if (!hasRoomFor(first)) {
            if (!mayBlock) {
                serveOnHelper(line);
                return false;
            }
            if (!first.mayWait()) {
                // Those at the end of a long line have no time left to be delivered in.
                failFirst(line, first, new BufferExhaustedException("No room in time among the records on their way"));
                return true;
            }
        }
        Path path = path(first, producer);
        return switch (line.begin(path)) {
            case NOW -> give(line, first, path, mayBlock);
            case LATER -> false;
            case NEVER -> true;
        };
    }

    private void endFirst(RunLine line, OutgoingRecord first, DeliveryResult result) {
        line.removeFirst();
        end(first, result);
    }

    private void failFirst(RunLine line, OutgoingRecord first, Throwable failure) {
        line.removeFirst();
        failed(first, failure);
    }

    /** Never blocks: a topic is found by a future. */
    private void findTopic(RunLine line, OutgoingRecord first, SharedProducer producer) {
        var unused = topics.find(first.topic(), producer).whenComplete((found, failure) -> {
            if (failure != null) {
                failFirst(line, first, failure);
            }
            serveOnHelper(line);
        });
    }

    private Path path(OutgoingRecord first, SharedProducer producer) {
        TopicPartition partition = mayBeRefused(first, producer) ? null : partitions.choose(first, producer.client);
        if (goesToFencedLane(first)) {
            // An aborted transaction leaves nothing.
            return new Path(null, partition, true);
        }
        return new Path(producer, partition, partition != null && producer.isKnownAt(partition));
    }

    /** Then it goes alone, so that it is known to be rejected before the next one begins. */
    private boolean mayBeRefused(OutgoingRecord first, SharedProducer producer) {
        return producer.isPerhapsTooLarge(first) || failures.isStrict(first.topic());
    }

    private boolean hasRoomFor(OutgoingRecord sending) {
        return goesToFencedLane(sending) || bytesInFlight.get() <= roomyBytes;
    }

    private boolean goesToFencedLane(OutgoingRecord sending) {
        return lanes.isPresent() && sending.run.tenure() != Unowned.LANE;
    }

    /** Hands it on, or ends it; false if it waits for room that the helper will wait for. */
    private boolean give(RunLine line, OutgoingRecord begun, Path path, boolean mayBlock) {
        if (path.producer() == null) {
            giveToLane(begun);
            return true;
        }
        if (producers.give(begun, path.partition(), path.producer())) {
            return true;
        }
        line.putBack(begun);
        if (!mayBlock) {
            serveOnHelper(line);
        }
        return mayBlock;
    }

    private void giveToLane(OutgoingRecord begun) {
        try {
            lanes.orElseThrow().give(begun);
        } catch (RuntimeException noLane) {
            failed(begun, noLane);
        }
    }

    @Override
    public void failed(OutgoingRecord sending, Throwable failure) {
        end(sending, failures.of(sending, failure));
    }

    /** Makes room first: whoever learns the result may send again at once. */
    @Override
    public void end(OutgoingRecord sending, DeliveryResult result) {
        RunLine line = sending.line();
        if (!(result instanceof Delivered || result instanceof Reject)) {
            line.breakOff(sending);
        }
        line.ended(sending);
        lines.computeIfPresent(sending.run, (run, open) -> open == line && line.isEmpty() ? null : open);
        bytesInFlight.addAndGet(-sending.bytes);
        window.leave();
        sending.result.complete(result);
        if (line.startServing()) {
            serveOnHelper(line);
        }
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
