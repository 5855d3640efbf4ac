package dev.postrider.testkit;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import java.util.List;

/**
 * A destination as {@link DestinationContract} needs it, and a way to see what arrived that has nothing in common with it.
 *
 * <p>A new one for each test; what is costly to start may be shared behind it.
 */
public interface DestinationFixture extends AutoCloseable {

    /**
     * A new destination, which the contract closes. It should allow at most a few hundred sends at once.
     */
    Destination open();

    /** A topic that no other test uses and that leads somewhere. Keys may be spread over partitions. */
    String newTopic();

    /**
     * What has arrived at a topic, oldest first within each key, read by a consumer of its own and turned back into messages.
     * Returns when there are at least {@code count} different ids, or when waiting longer makes no sense; always from the beginning.
     */
    List<OutboxMessage> arrived(String topic, int count);

    /** Removes what the test left behind. */
    @Override
    default void close() {}
}
