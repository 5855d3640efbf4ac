package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay that is closed ends, whatever its destination does. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayCloseTest {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination broker = new RecordingDestination("broker");

    @Test
    void closesTwiceAsWellAsOnce() {
        Relay relay = Relay.withDefaults(store, broker);
        relay.start();

        relay.close();
        relay.close();

        assertThat(relay.isRunning()).isFalse();
        assertThat(relay.ownedLanes()).isEmpty();
    }

    @Test
    void closesThoughASendNeverEndsAndLeavesItsMessageToOthers() {
        broker.hold();
        Relay relay = Relay.builder(store, broker)
                .closeTimeout(Duration.ofMillis(100))
                .build();
        relay.start();
        Outbox.withDefaults(store)
                .inTransaction(
                        store.dataSource(),
                        tx -> tx.enqueue(
                                OutboxMessage.builder("t").key("k").type("x").build()));
        broker.awaitSent(1, Duration.ofSeconds(30));

        relay.close();

        assertThat(relay.isRunning()).isFalse();
        assertThat(store.stats().undelivered()).isOne();
    }
}
