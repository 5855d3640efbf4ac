package dev.postrider.testkit;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import java.util.List;

/**
 * A receiver as {@link ReceiverContract} needs it, and ways to send to it and to see what it parked that have nothing in common with it.
 *
 * <p>A new one for each test; what is costly to start may be shared behind it.
 */
public interface ReceiverFixture extends AutoCloseable {

    /**
     * A new receiver on the one queue or group of this fixture, which the contract closes. Its pause before a retry should be short,
     * since tests wait for it, and it should allow {@link #maxAttempts} attempts.
     *
     * @param prefetch how many messages may be unsettled at once
     * @param listener which the receiver tells what it does
     */
    Receiver open(int prefetch, ReceiverListener listener);

    /** A topic that leads to the receivers. */
    String topic();

    /** How often a message is handed over before it is parked, at least 2. */
    int maxAttempts();

    /** Sends a message to {@link #topic} so that it is safely there. Called after the first receiver was started. */
    void send(OutboxMessage message);

    /** What was parked so far. Returns when there are at least {@code count}, or when waiting longer makes no sense. */
    List<OutboxMessage> parked(int count);

    /** Removes what the test left behind. */
    @Override
    default void close() {}
}
