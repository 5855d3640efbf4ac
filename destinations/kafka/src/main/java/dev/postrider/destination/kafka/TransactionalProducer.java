package dev.postrider.destination.kafka;

import dev.postrider.spi.LaneTenure;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer of one lane, made when it is needed and made anew after it broke. For one thread, but for {@link #close}.
 *
 * <p>Beginning to use a transactional id makes the broker refuse whoever used it before. So nobody may begin who might have lost
 * the lane: the tenure is looked at before and after. If it is certain afterwards, any later owner begins later still.
 */
final class TransactionalProducer {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    private final Supplier<Producer<byte[], byte[]>> factory;
    private @Nullable Producer<byte[], byte[]> current;
    private boolean isClosed;

    TransactionalProducer(Supplier<Producer<byte[], byte[]>> factory) {
        this.factory = factory;
    }

    /**
     * The producer, which has fenced all others of its lane.
     *
     * @throws ProducerFencedException if the lane may have another owner
     * @throws KafkaException if the broker cannot be asked
     */
    Producer<byte[], byte[]> begun(LaneTenure tenure) {
        Producer<byte[], byte[]> ready = current;
        return ready != null ? ready : begin(tenure);
    }

    private Producer<byte[], byte[]> begin(LaneTenure tenure) {
        requireCertain(tenure);
        Producer<byte[], byte[]> made = make();
        try {
            made.initTransactions();
            requireCertain(tenure);
            return made;
        } catch (RuntimeException failed) {
            discard();
            throw failed;
        }
    }

    private static void requireCertain(LaneTenure tenure) {
        if (!tenure.isCertain()) {
            throw new ProducerFencedException("The lease of lane " + tenure.lane() + " may be over");
        }
    }

    private synchronized Producer<byte[], byte[]> make() {
        if (isClosed) {
            throw new IllegalStateException("The destination is closed");
        }
        Producer<byte[], byte[]> made = factory.get();
        current = made;
        return made;
    }

    /** Ends a producer that is broken or whose transaction has an unknown end; the next use makes another. */
    synchronized void discard() {
        Producer<byte[], byte[]> broken = current;
        current = null;
        if (broken != null) {
            LOG.debug("The producer of a lane is replaced");
            broken.close(Duration.ZERO);
        }
    }

    /** Ends it for good. Any thread. */
    synchronized void close() {
        isClosed = true;
        discard();
    }
}
