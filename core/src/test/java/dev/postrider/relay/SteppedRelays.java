package dev.postrider.relay;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;

/** Relays over a store in memory under a virtual clock, of which each runs only when it is told to. */
final class SteppedRelays {

    final TestClock clock = new TestClock();
    final InMemoryOutboxStore store;

    SteppedRelays(int lanes) {
        this.store = new InMemoryOutboxStore(lanes, clock);
    }

    RelayBuilder builder(Destination destination) {
        return new RelayBuilder(store, DestinationRouter.to(destination)).nanoTime(clock::nanoTime);
    }

    void enqueue(String topic, String key) {
        OutboxMessage message = OutboxMessage.builder(topic).key(key).type("t").build();
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(message));
    }

    void run(RelayCore relay, Duration duration) {
        long end = clock.nanoTime() + duration.toNanos();
        while (clock.nanoTime() - end < 0) {
            step(relay);
        }
    }

    void step(RelayCore relay) {
        relay.keeper().step();
        relay.loopsWithoutKeeper().forEach(Loop::step);
        clock.advance(Duration.ofMillis(20));
    }
}
