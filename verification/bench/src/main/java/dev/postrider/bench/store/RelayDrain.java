package dev.postrider.bench.store;

import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Round;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import java.util.function.UnaryOperator;

/** Drains a backlog with a relay that has every option at its default, unless said otherwise. Stateless. */
public final class RelayDrain {

    private RelayDrain() {}

    /** Drains all of this many messages to nowhere. */
    public static Round drain(OutboxStore store, long messages) throws InterruptedException {
        return drain(store, messages, UnaryOperator.identity());
    }

    /** The same with other options. */
    public static Round drain(OutboxStore store, long messages, UnaryOperator<RelayBuilder> options)
            throws InterruptedException {
        CountingDestination nowhere = new CountingDestination();
        DrainTimer timer = drain(store, nowhere, messages, options);
        return timer.round(nowhere.count());
    }

    /** Drains all of this many messages to a destination and returns how fast that was. */
    public static DrainTimer drain(
            OutboxStore store, Destination destination, long messages, UnaryOperator<RelayBuilder> options)
            throws InterruptedException {
        DrainTimer timer = new DrainTimer(messages);
        SettledCount count = new SettledCount(timer);
        try (Relay relay =
                options.apply(Relay.builder(store, destination).listener(count)).build()) {
            relay.start();
            count.await();
        }
        return timer;
    }
}
