package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RoutingTable;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import dev.postrider.testkit.BrokerFixture.Access;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A way to the broker that is up but slow, in a relay that has another one too. */
interface SlowContract extends BrokerPart {

    /** Long enough for every access to the broker. */
    Duration LEASE = Duration.ofMinutes(3);

    /** What waits for the slow one is more than the relay reads at once, and older than everything for the other. */
    @Test
    @Timeout(300)
    default void letsAnotherDestinationFlowWhileOneIsSlow() {
        DestinationDriver slow = driver(Access.PROXY);
        DestinationDriver quick = driver(Access.PLAIN);
        slow.deliverInTheEnd(List.of(slow.message("warm up")));
        List<OutboxMessage> forSlow = ofFiveKeys(slow, 600);
        List<OutboxMessage> forQuick = ofFiveKeys(quick, 50);
        InMemoryOutboxStore store = new InMemoryOutboxStore(16, Clock.systemUTC());
        commit(store, forSlow);
        commit(store, forQuick);
        broker().proxy().delay(Duration.ofMillis(200));

        RoutingTable routes = RoutingTable.byTopic()
                .route(slow.topic(), named("slow", slow.destination()))
                .otherwise(named("quick", quick.destination()));
        try (Relay relay = Relay.builder(store, routes)
                .lease(LEASE)
                .batchSize(50)
                .maxInFlight(50)
                .build()) {
            relay.start();

            assertThatDeliveries(quick.arrived(forQuick.size()))
                    .lackNothingOf(forQuick)
                    .keepTheOrderOf(forQuick)
                    .haveNoDuplicates();
            assertThat(store.stats().undelivered()).isPositive();
            broker().proxy().heal();

            RelayUnderLoad.await("an empty outbox", () -> store.stats().undelivered() == 0);
        }
        assertThatDeliveries(slow.arrived(forSlow.size() + 1))
                .lackNothingOf(forSlow)
                .keepTheOrderOf(forSlow);
    }

    private static List<OutboxMessage> ofFiveKeys(DestinationDriver driver, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> driver.message("key-" + i % 5))
                .toList();
    }

    private static void commit(InMemoryOutboxStore store, List<OutboxMessage> messages) {
        Outbox.withDefaults(store)
                .inTransaction(store.dataSource(), tx -> tx.enqueue(messages.toArray(OutboxMessage[]::new)));
    }

    private static Destination named(String name, Destination target) {
        return new ForwardingDestination(target) {
            @Override
            public String name() {
                return name;
            }
        };
    }
}
