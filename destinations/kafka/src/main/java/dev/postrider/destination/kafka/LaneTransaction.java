package dev.postrider.destination.kafka;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * One transaction of a lane's producer, and after it failed the question which of its records is to blame.
 *
 * <p>After one record is refused, the client fails all others that it has not sent yet with that record's error: an error that a
 * record was given says nothing about it. What is known for certain: which ones the client refuses at once, and which one was alone.
 * For one thread.
 */
final class LaneTransaction {

    private final List<OutgoingRecord> batch;
    private final Thread caller = Thread.currentThread();
    private final Map<OutgoingRecord, Throwable> refusedAtOnce = new LinkedHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    LaneTransaction(List<OutgoingRecord> batch) {
        this.batch = batch;
    }

    /** Sends and commits all, or throws. */
    void commit(Producer<byte[], byte[]> producer) {
        producer.beginTransaction();
        for (OutgoingRecord sending : batch) {
            sending.give(producer, (metadata, failure) -> ended(sending, metadata, failure));
        }
        producer.commitTransaction();
    }

    /** What the client refuses by itself it reports within the call of {@code send}, all else on its own thread. */
    private void ended(OutgoingRecord sending, RecordMetadata metadata, Exception failure) {
        if (failure == null) {
            sending.acknowledged(metadata);
            return;
        }
        failures.add(failure);
        if (Thread.currentThread() == caller && KafkaFailures.concernsOneRecord(failure)) {
            refusedAtOnce.put(sending, failure);
        }
    }

    /** Who is given up on after this exception, and what is sent again. */
    Blame blame(Throwable thrown) {
        if (!refusedAtOnce.isEmpty()) {
            List<OutgoingRecord> others = new ArrayList<>(batch);
            others.removeAll(refusedAtOnce.keySet());
            return new Blame(refusedAtOnce, others.isEmpty() ? List.of() : List.of(others));
        }
        Throwable reason = reason(thrown);
        List<List<OutgoingRecord>> parts = parts(reason);
        return parts.size() > 1 ? new Blame(Map.of(), parts) : new Blame(allFailedBy(reason), List.of());
    }

    /** The first failure is the cause of the others. */
    private Throwable reason(Throwable thrown) {
        Throwable first = failures.peek();
        if (first != null) {
            return first;
        }
        return thrown.getClass() == KafkaException.class && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private List<List<OutgoingRecord>> parts(Throwable reason) {
        boolean isOfOneRecord = KafkaFailures.concernsOneRecord(reason);
        if (!isOfOneRecord && !KafkaFailures.concernsOneTopic(reason)) {
            return List.of(batch);
        }
        List<List<OutgoingRecord>> byTopic = List.copyOf(batch.stream()
                .collect(Collectors.groupingBy(
                        sending -> sending.record.topic(), LinkedHashMap::new, Collectors.toList()))
                .values());
        return byTopic.size() == 1 && isOfOneRecord ? halves() : byTopic;
    }

    private List<List<OutgoingRecord>> halves() {
        int middle = batch.size() / 2;
        return middle == 0 ? List.of(batch) : List.of(batch.subList(0, middle), batch.subList(middle, batch.size()));
    }

    private Map<OutgoingRecord, Throwable> allFailedBy(Throwable reason) {
        Map<OutgoingRecord, Throwable> failed = new LinkedHashMap<>();
        batch.forEach(sending -> failed.put(sending, reason));
        return failed;
    }

    /** The records that end, each with its reason, and those that are sent again, each part in a transaction of its own. */
    record Blame(Map<OutgoingRecord, Throwable> failed, List<List<OutgoingRecord>> parts) {}
}
