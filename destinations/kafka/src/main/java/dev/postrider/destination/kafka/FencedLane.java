package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.FencedLanes.SendOutcomes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneTenure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Sends the records of one lane under one epoch, in transactions one after the other: whatever has gathered while one is committed
 * goes into the next. A record is delivered when its transaction is.
 *
 * <p>One record that is refused aborts its transaction; the others are sent again without it. While it is not known which one is to
 * blame, they are sent again in parts. A transaction whose end is unknown ends its records as an outage, and the next one begins by
 * asking the broker to end it.
 */
final class FencedLane {

    private static final int MAX_RECORDS = 1000;

    private final LaneTenure tenure;
    private final TransactionalProducer producer;
    private final SendTimes times;
    private final Predicate<Runnable> thread;
    private final SendOutcomes outcomes;
    private final Queue<OutgoingRecord> waiting = new ConcurrentLinkedQueue<>();

    /** What was aborted because of others, to be sent before those that wait. Only for the thread that sends. */
    private final Deque<List<OutgoingRecord>> again = new ArrayDeque<>();

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

    void add(OutgoingRecord sending) {
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
        for (OutgoingRecord next = waiting.poll(); next != null; next = waiting.poll()) {
            outcomes.end(next, result);
        }
    }

    private void run() {
        try {
            for (List<OutgoingRecord> batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
                send(batch);
            }
        } finally {
            isRunning.set(false);
            // One may have come between the last look and now.
            runUnlessRunning();
        }
    }

    private List<OutgoingRecord> nextBatch() {
        List<OutgoingRecord> batch = new ArrayList<>();
        while (batch.isEmpty() && !again.isEmpty()) {
            again.remove().forEach(sending -> addUnlessLate(sending, batch));
        }
        while (batch.isEmpty() && !waiting.isEmpty()) {
            takeWaiting(batch);
        }
        return batch;
    }

    private void takeWaiting(List<OutgoingRecord> batch) {
        for (int i = 0; i < MAX_RECORDS && !waiting.isEmpty(); i++) {
            addUnlessLate(waiting.remove(), batch);
        }
    }

    /** One that has waited for too long would end too late; one behind a failed one of its run must not pass it. */
    private void addUnlessLate(OutgoingRecord next, List<OutgoingRecord> batch) {
        if (next.run.isBroken()) {
            outcomes.end(next, RecordSender.BROKEN_OFF);
        } else if (next.hasWaitedFor(times.beforeTransaction())) {
            outcomes.end(next, DeliveryResult.outage("Kafka committed no transaction of its lane in time"));
        } else {
            batch.add(next);
        }
    }

    private void send(List<OutgoingRecord> batch) {
        LaneTransaction transaction = new LaneTransaction(batch);
        try {
            transaction.commit(producer.next(tenure));
        } catch (ProducerFencedException | InvalidProducerEpochException fenced) {
            fenced(batch, fenced);
            return;
        } catch (RuntimeException | Error failed) {
            // Also after an Error: the records are in no queue any more, nothing else would end them.
            aborted(transaction.blame(failed));
            return;
        }
        batch.forEach(sending -> outcomes.end(sending, DeliveryResult.DELIVERED));
    }

    /** Whoever still has the lease was fenced by a former owner that woke up: it fences that one in turn, at the next send. */
    private void fenced(List<OutgoingRecord> batch, KafkaException fenced) {
        producer.discard();
        DeliveryResult result = tenure.isCertain()
                ? DeliveryResult.outage("Another producer used the transactional id of lane " + tenure.lane(), fenced)
                : lost(tenure);
        batch.forEach(sending -> outcomes.end(sending, result));
    }

    private void aborted(LaneTransaction.Blame blame) {
        // Closing it leaves the transaction open; whoever begins next with the same id has the broker abort it.
        producer.discard();
        blame.failed().forEach(outcomes::failed);
        // Before the rest of a transaction that was divided already: what is behind them in their runs may be there.
        List<List<OutgoingRecord>> parts = new ArrayList<>(blame.parts());
        Collections.reverse(parts);
        parts.forEach(again::addFirst);
    }

    /** Ends the producer; what it has not committed ends as an outage. */
    void close() {
        producer.close();
    }
}
