package dev.postrider.cli.demo;

import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

/** One relay with a store of its own and a lifeline, as if it ran in a process of its own. */
final class DemoRelay implements AutoCloseable {

    /** Short, so that the demo does not wait long for the lanes of the killed relay. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final int CONNECTIONS = 4;

    private final int number;
    private final Lifeline lifeline;
    private final Relay relay;

    private DemoRelay(int number, Lifeline lifeline, Relay relay) {
        this.number = number;
        this.lifeline = lifeline;
        this.relay = relay;
    }

    /** A relay that works until it is closed, unless {@link #kill()} comes first. The destination is guarded already. */
    static DemoRelay build(
            int number, Lifeline lifeline, DemoDatabase database, Destination destination, RelayListener listener) {
        DataSource connections = lifeline.guard(DataSource.class, database.connections("relay-" + number, CONNECTIONS));
        Relay relay = Relay.builder(database.store(connections), destination)
                .lease(LEASE)
                .listener(listener)
                .build();
        return new DemoRelay(number, lifeline, relay);
    }

    void start() {
        relay.start();
    }

    /** Ends it as a kill signal ends a process: nothing is settled, nothing is released. */
    void kill() {
        lifeline.cut();
    }

    boolean isKilled() {
        return lifeline.isCut();
    }

    int number() {
        return number;
    }

    Set<Integer> lanes() {
        return relay.ownedLanes();
    }

    /** Stops it cleanly; a killed one is left as it is. */
    @Override
    public void close() {
        if (!isKilled()) {
            relay.close();
        }
    }
}
