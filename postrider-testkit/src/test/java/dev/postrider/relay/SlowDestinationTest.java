package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A destination that takes messages and is slow to acknowledge them, beside one that is not. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowDestinationTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int IN_FLIGHT = 20;
    private static final int MANY = 10 * IN_FLIGHT;
    private static final int KEYS = 7;

    private final RecordingDestination slow = new RecordingDestination("slow");
    private final RecordingDestination quick = new RecordingDestination("quick");
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);

    @Test
    void othersFlowPastADestinationThatIsSlowWhenTopicsDecide() {
        flowsPast(RoutingTable.byTopic().route("quick", quick).otherwise(slow));
    }

    @Test
    void othersFlowPastADestinationThatIsSlowWhenHeadersDecide() {
        flowsPast(RoutingTable.byHeader("to").route("quick", quick).otherwise(slow));
    }

    private void flowsPast(RoutingTable table) {
        slow.hold();
        try (Relay relay = relay(table)) {
            relay.start();
            enqueue("slow", 0);
            slow.awaitSent(1, SOON);
            enqueue("quick", 0);
            quick.awaitDelivered(MANY, SOON);
            enqueue("quick", MANY);
            quick.awaitDelivered(2 * MANY, SOON);
            assertThat(slow.delivered()).isEmpty();

            slow.release();
            slow.awaitDelivered(MANY, SOON);
            enqueue("slow", MANY);
            slow.awaitDelivered(2 * MANY, SOON);
        }
        assertInOrderAndOnce(slow.delivered());
        assertInOrderAndOnce(quick.delivered());
        assertThat(store.stats().undelivered()).isZero();
    }

    private Relay relay(RoutingTable table) {
        return Relay.builder(store, table)
                .workers(1)
                .batchSize(IN_FLIGHT)
                .maxInFlight(IN_FLIGHT)
                .build();
    }

    private void enqueue(String to, int first) {
        for (int n = first; n < first + MANY; n++) {
            OutboxMessage message = OutboxMessage.builder(to)
                    .type("t" + n)
                    .key("k" + n % KEYS)
                    .header("to", to)
                    .build();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message));
        }
    }

    private static void assertInOrderAndOnce(List<OutboxMessage> delivered) {
        Map<String, List<Integer>> byKey = new HashMap<>();
        for (OutboxMessage message : delivered) {
            byKey.computeIfAbsent(message.key().orElseThrow(), key -> new ArrayList<>())
                    .add(Integer.parseInt(message.type().substring(1)));
        }
        assertThat(delivered).hasSize(2 * MANY);
        assertThat(byKey.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
    }
}
