package dev.postrider.destination.kafka;

import dev.postrider.spi.LaneTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producers of one lane, made when they are needed and made again after one broke. For one thread, but for {@link #close}.
 *
 * <p>They take turns. A broker answers a commit before it has written its end into every partition, and until then it takes nothing more of that
 * transactional id: it lets the producer wait for a fixed time, 20 ms by default. Meanwhile the other one sends. A transaction begins when
 * the one before is committed, so its records are behind those of the other producer too.
 *
 * <p>Beginning to use a transactional id makes the broker refuse whoever used it before. So nobody may begin who might have lost
 * the lane: the tenure is looked at before and after. If it is certain afterwards, any later owner begins later still. All ids of a lane are begun
 * before the first record: a former owner may have a transaction open with any of them.
 */
final class TransactionalProducer {

    /** How many producers a lane has. More gain nothing: the end of a transaction is written while the next one is sent. */
    static final int TURNS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    private final IntFunction<Producer<byte[], byte[]>> factory;
    private List<Producer<byte[], byte[]>> current = List.of();
    private int turn;
    private boolean isClosed;

    /** @param factory makes the producer of each turn */
    TransactionalProducer(IntFunction<Producer<byte[], byte[]>> factory) {
        this.factory = factory;
    }

    /**
     * The producer for the next transaction; all others of its lane are fenced.
     *
     * @throws ProducerFencedException if the lane may have another owner
     * @throws KafkaException if the broker cannot be asked
     */
    Producer<byte[], byte[]> next(LaneTenure tenure) {
        List<Producer<byte[], byte[]>> ready = begun();
        if (ready.isEmpty()) {
            ready = begin(tenure);
        }
        turn = (turn + 1) % TURNS;
        return ready.get(turn);
    }

    private synchronized List<Producer<byte[], byte[]>> begun() {
        return current;
    }

    private List<Producer<byte[], byte[]>> begin(LaneTenure tenure) {
        requireCertain(tenure);
        List<Producer<byte[], byte[]>> made = make();
        try {
            made.forEach(Producer::initTransactions);
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

    private synchronized List<Producer<byte[], byte[]>> make() {
        if (isClosed) {
            throw new IllegalStateException("The destination is closed");
        }
        List<Producer<byte[], byte[]>> made = new ArrayList<>();
        // Known before the next is made, so that one that cannot be made leaves none open.
        current = made;
        try {
            for (int i = 0; i < TURNS; i++) {
                made.add(factory.apply(i));
            }
        } catch (RuntimeException failed) {
            discard();
            throw failed;
        }
        return made;
    }

    /** Ends the producers, because one is broken or has a transaction with an unknown end; the next use makes others. */
    synchronized void discard() {
        List<Producer<byte[], byte[]>> former = current;
        current = List.of();
        if (!former.isEmpty()) {
            LOG.debug("The producers of a lane are replaced");
            former.forEach(producer -> producer.close(Duration.ZERO));
        }
    }

    /** Ends them for good. Any thread. */
    synchronized void close() {
        isClosed = true;
        discard();
    }
}
