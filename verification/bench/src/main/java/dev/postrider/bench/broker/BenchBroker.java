package dev.postrider.bench.broker;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.internal.SafeText;
import dev.postrider.spi.Destination;
import java.util.List;

/** A broker to deliver to, under a name of its own that is removed on closing. For one thread. */
public interface BenchBroker extends AutoCloseable {

    /**
     * Connects and prepares.
     *
     * @param uri {@code kafka://host:port}, {@code amqp://user:password@host:port} or {@code nats://host:port}
     * @param partitions of a topic of Kafka
     * @param isFenced whether Kafka's destination sends in a transaction of each lane
     */
    static BenchBroker open(String uri, int partitions, boolean isFenced) throws Exception {
        if (uri.startsWith("kafka://")) {
            return new BenchKafka(uri.substring("kafka://".length()), partitions, isFenced);
        }
        if (uri.startsWith("amqp://") || uri.startsWith("amqps://")) {
            return new BenchRabbitmq(uri);
        }
        if (uri.startsWith("nats://") || uri.startsWith("tls://")) {
            return new BenchNats(uri);
        }
        throw new BenchException("No broker is known by the address " + SafeText.address(uri)
                + "; expected kafka://, amqp:// or nats://");
    }

    /** A destination with every option at its default. */
    Destination destination();

    /**
     * Sends these, without waiting between them, and returns when all are acknowledged: what one would write with nothing but
     * the broker's client. Tells the timer how many are acknowledged.
     */
    void send(List<BareMessage> messages, DrainTimer timer) throws Exception;

    /** How many messages the broker holds. */
    long count() throws Exception;

    /** Forgets what was sent, so that rounds are alike. */
    void clear() throws Exception;

    /** Removes what was prepared, and disconnects. */
    void remove() throws Exception;

    @Override
    default void close() {
        try {
            remove();
        } catch (Exception failed) {
            throw new BenchException("Could not remove what was made at the broker: " + failed.getMessage(), failed);
        }
    }
}
