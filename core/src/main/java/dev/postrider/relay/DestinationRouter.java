package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import java.util.Collection;
import java.util.List;

/**
 * Leads each message to one of several destinations. {@link RoutingTable} does so by topic or header.
 *
 * <p>The choice must depend on the message alone and never change while messages wait, since order is kept per key and
 * destination. Only what is held for a destination that is no longer listed is routed again. Thread-safe and fast.
 */
public interface DestinationRouter {

    /** One of {@link #destinations()}, never null. */
    Destination route(OutboxMessage message);

    /** All destinations, each with a name of its own. */
    Collection<Destination> destinations();

    /**
     * Whether messages of one topic all lead to the same destination, whatever else is in them. Then the relay need not read those
     * of a destination that is down; otherwise, and unless a router says so, it reads and passes over them.
     */
    default boolean isDecidedByTopic() {
        return false;
    }

    /** Everything to one destination. */
    static DestinationRouter to(Destination destination) {
        List<Destination> only = List.of(destination);
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return destination;
            }

            @Override
            public Collection<Destination> destinations() {
                return only;
            }

            @Override
            public boolean isDecidedByTopic() {
                return true;
            }
        };
    }
}
