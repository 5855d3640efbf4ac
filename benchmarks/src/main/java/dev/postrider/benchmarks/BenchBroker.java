package dev.postrider.benchmarks;

import dev.postrider.spi.Destination;
import java.util.List;

/** A broker to deliver to, by a destination or by its own client alone. */
interface BenchBroker extends AutoCloseable {

    /** Where the messages of a {@link BenchOutbox} go. */
    String TOPIC = "orders";

    /** A destination with every option at its default. */
    Destination destination();

    /**
     * Sends these, without waiting between them, and returns when all are acknowledged: what one would write with nothing but
     * the broker's client. Tells the stretch how many are acknowledged.
     */
    void send(List<BareMessage> messages, Stretch stretch) throws Exception;

    /** Forgets what was sent, so that rounds are alike. */
    void clear() throws Exception;

    @Override
    void close();
}
