package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.FencedLanes.SendOutcomes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneTenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Sends the records of one lane under one epoch, in transactions one after the other: whatever has gathered while one is committed
 * goes into the next. A record is delivered when its transaction is.
 *
 * <p>One record that is refused aborts its transaction; the others are sent again without it. A transaction whose end is unknown
 * ends its records as an outage, and the next one begins by asking the broker to end it.
 */
final class FencedLane {

    private static final int MAX_RECORDS = 1000;

    private final LaneTenure tenure;
    private final TransactionalProducer producer;
    private final SendTimes times;
    private final Predicate<Runnable> thread;
    private final SendOutcomes outcomes;
    private final Queue<Sending> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isRunning = new AtomicBoolean();

    FencedLane(
            LaneTenure tenure,
            TransactionalProducer producer,
            SendTimes times,
            Predicate<Runnable> thread,
            SendOutcomes outcomes) {
        this.tenure = tenure;
        this.producer = producer;
        this.times = times;
        this.thread = thread;
        this.outcomes = outcomes;
    }

    /** The end of a message whose lane has another owner: the outbox refuses to count it as an attempt. */
    static DeliveryResult lost(LaneTenure tenure) {
        return DeliveryResult.retry("Lane " + tenure.lane() + " has been taken over by another relay");
    }

    long epoch() {
        return tenure.epoch();
    }

    boolean isOver() {
        return !tenure.isCertain() && waiting.isEmpty();
    }

    void add(Sending sending) {
        waiting.add(sending);
        runUnlessRunning();
    }

    private void runUnlessRunning() {
        if (!waiting.isEmpty() && isRunning.compareAndSet(false, true) && !thread.test(this::run)) {
            isRunning.set(false);
            endAll(DeliveryResult.outage("The destination is closed"));
        }
    }

    private void endAll(DeliveryResult result) {
        for (Sending next = waiting.poll(); next != null; next = waiting.poll()) {
            outcomes.end(next, result);
        }
    }

    private void run() {
        try {
            for (List<Sending> batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
                send(batch);
            }
        } finally {
            isRunning.set(false);
            // One may have come between the last look and now.
            runUnlessRunning();
        }
    }

    /** Those that have waited for too long would end too late. */
    private List<Sending> nextBatch() {
        List<Sending> batch = new ArrayList<>();
        while (batch.size() < MAX_RECORDS && !waiting.isEmpty()) {
            Sending next = waiting.remove();
            if (next.hasWaitedFor(times.beforeTransaction())) {
                outcomes.end(next, DeliveryResult.outage("Kafka committed no transaction of its lane in time"));
            } else {
                batch.add(next);
            }
        }
        return batch;
    }

    private void send(List<Sending> batch) {
        try {
            Producer<byte[], byte[]> ready = producer.begun(tenure);
            ready.beginTransaction();
            batch.forEach(sending -> give(ready, sending));
            ready.commitTransaction();
        } catch (ProducerFencedException | InvalidProducerEpochException fenced) {
            fenced(batch, fenced);
            return;
        } catch (RuntimeException failed) {
            aborted(batch, failed);
            return;
        }
        batch.forEach(sending -> outcomes.end(sending, DeliveryResult.DELIVERED));
    }

    private static void give(Producer<byte[], byte[]> producer, Sending sending) {
        sending.refusal = null;
        var unused = producer.send(sending.record, (metadata, failure) -> sending.refusal = failure);
    }

    /** Whoever still has the lease was fenced by a former owner that woke up: it fences that one in turn, at the next send. */
    private void fenced(List<Sending> batch, KafkaException fenced) {
        producer.discard();
        DeliveryResult result = tenure.isCertain()
                ? DeliveryResult.outage("Another producer used the transactional id of lane " + tenure.lane(), fenced)
                : lost(tenure);
        batch.forEach(sending -> outcomes.end(sending, result));
    }

    private void aborted(List<Sending> batch, RuntimeException failed) {
        List<Sending> refused = batch.stream().filter(FencedLane::isToBlame).toList();
        // Closing it leaves the transaction open; whoever begins next with the same id has the broker abort it.
        producer.discard();
        refused.forEach(sending -> outcomes.failed(sending, sending.refusal));
        List<Sending> others = new ArrayList<>(batch);
        others.removeAll(refused);
        if (refused.isEmpty()) {
            others.forEach(sending -> outcomes.failed(sending, failed));
        } else {
            waiting.addAll(others);
        }
    }

    private static boolean isToBlame(Sending sending) {
        return sending.refusal != null && KafkaFailures.concernsOne(sending.refusal);
    }

    /** Ends the producer; what it has not committed ends as an outage. */
    void close() {
        producer.close();
    }
}
