package dev.postrider.destination.kafka;

import dev.postrider.internal.LogThrottle;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records to retry and parking topics until all in-sync replicas have them.
 *
 * <p>It never gives up: a record that neither its own topic nor another holds would be lost. What keeps it from sending is a
 * problem of the receiver's health meanwhile. Thread-safe; sending happens on a thread of its own, since the producer may block.
 */
final class RecordForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(RecordForwarder.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final KafkaClients clients;
    private final Timer sender;
    private final Map<String, String> problems = new ConcurrentHashMap<>();

    RecordForwarder(KafkaClients clients, Timer sender) {
        this.clients = clients;
        this.sender = sender;
    }

    /**
     * Sends the record, again and again if need be.
     *
     * @param isWanted asked before each attempt
     * @param then is run when the record is safe, or not wanted any more
     */
    void send(ProducerRecord<byte[], byte[]> record, BooleanSupplier isWanted, Runnable then) {
        schedule(new Forward(record, isWanted, then, 0), Duration.ZERO);
    }

    private void schedule(Forward forward, Duration delay) {
        sender.after(delay, () -> attempt(forward));
    }

    private void attempt(Forward forward) {
        if (!forward.isWanted.getAsBoolean()) {
            forward.then.run();
            return;
        }
        try {
            send(forward, clients.producer());
        } catch (RuntimeException | Error noProducer) {
            // Also an Error: nothing else would try again, and the partition would stand still.
            failed(forward, noProducer);
        }
    }

    private void send(Forward forward, SharedProducer producer) {
        try {
            var unused = producer.client.send(forward.record, (metadata, failure) -> ended(forward, producer, failure));
        } catch (RuntimeException refused) {
            ended(forward, producer, refused);
        }
    }

    private void ended(Forward forward, SharedProducer producer, Exception failure) {
        if (failure == null) {
            problems.remove(forward.topic());
            throttle.worked(
                    forward.topic(),
                    (level, note) ->
                            LOG.atLevel(level).log("Records can be set aside in {} again {}", forward.topic(), note));
            forward.then.run();
            return;
        }
        if (KafkaFailures.isFatal(failure)) {
            clients.discard(producer);
        }
        failed(forward, failure);
    }

    private void failed(Forward forward, Throwable failure) {
        String reason = KafkaFailures.of(failure, forward.topic()).reason();
        throttle.warn(forward.topic(), "A record cannot be set aside yet and holds up its partition: {}", reason);
        problems.put(forward.topic(), reason);
        Forward next = new Forward(forward.record, forward.isWanted, forward.then, forward.failures + 1);
        schedule(next, BACKOFF.delay(next.failures));
    }

    /** What keeps records from being set aside now. */
    Optional<String> problem() {
        return problems.values().stream().findAny();
    }

    private record Forward(
            ProducerRecord<byte[], byte[]> record, BooleanSupplier isWanted, Runnable then, int failures) {
        String topic() {
            return record.topic();
        }
    }
}
