package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.FencedLanes.SendOutcomes;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Reject;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to the shared producer, and closes that one where others must not pass a record that failed.
 *
 * <p>A broker takes the records of a producer in sequence, but after a failure the producer would number those behind it again, and they would
 * arrive without the failed one. So it is closed within the callback of the first failure, before its thread can do that, unless nothing of the
 * run is behind. See ADR 13. Thread-safe.
 */
final class ProducerSends {

    private static final Failed GIVEN_UP = DeliveryResult.abandoned(
            "The Kafka producer or the batch that it shared with others was given up because of another message");

    private final KafkaClients clients;
    private final RecordFailures failures;
    private final SendOutcomes outcomes;

    ProducerSends(KafkaClients clients, RecordFailures failures, SendOutcomes outcomes) {
        this.clients = clients;
        this.failures = failures;
        this.outcomes = outcomes;
    }

    /** Hands it on, or ends it; false if the producer has no room for it. */
    boolean give(OutgoingRecord begun, @Nullable TopicPartition partition, SharedProducer producer) {
        begun.foundNoRoom = false;
        try {
            begun.give(producer.client, (metadata, failure) -> {
                if (failure == null) {
                    begun.acknowledged(metadata);
                }
                ended(begun, partition, producer, failure);
            });
        } catch (RuntimeException | Error refused) {
            // Whatever it is, it must end, or its place stays taken; after an Error only the producer's end is the end
            // of it.
            boolean isEnd = refused instanceof Error || KafkaFailures.isFatal(refused);
            if (isEnd && !clients.discard(producer)) {
                outcomes.end(begun, GIVEN_UP);
            } else {
                outcomes.failed(begun, refused);
            }
        }
        return !begun.foundNoRoom;
    }

    private void ended(
            OutgoingRecord sending,
            @Nullable TopicPartition partition,
            SharedProducer producer,
            @Nullable Exception failure) {
        if (failure == null) {
            if (partition != null) {
                producer.acknowledged(partition);
            }
            outcomes.end(
                    sending,
                    sending.line().isBehindFailed(sending) ? RecordSender.BROKEN_OFF : DeliveryResult.DELIVERED);
        } else if (failure instanceof BufferExhaustedException) {
            // The producer says so before its send returns.
            sending.foundNoRoom = true;
        } else {
            failed(sending, partition, producer, failure);
        }
    }

    private void failed(
            OutgoingRecord sending, @Nullable TopicPartition partition, SharedProducer producer, Exception failure) {
        // So general for a record of a producer that was closed, or of a batch in which the broker found another one
        // invalid.
        Failed result = failure.getClass() == KafkaException.class ? GIVEN_UP : failures.of(sending, failure);
        if (!(result instanceof Reject)) {
            if (partition != null) {
                producer.failed(partition);
            }
            if (sending.line().breakOff(sending)) {
                clients.giveUp(producer, failure);
            }
        }
        outcomes.end(sending, result);
    }
}
