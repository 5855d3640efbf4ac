package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutingTableTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final RecordingDestination kafka = new RecordingDestination("kafka");
    private final RecordingDestination rabbit = new RecordingDestination("rabbit");
    private final RecordingDestination nats = new RecordingDestination("nats");

    private static OutboxMessage.Builder message(String topic) {
        return OutboxMessage.builder(topic).type("t").key("k");
    }

    private static Destination destinationOf(RoutingTable table, String topic) {
        return table.route(message(topic).build());
    }

    @Test
    void routesByExactTopicThenByTheLongestPrefixThenOtherwise() {
        RoutingTable table = RoutingTable.byTopic()
                .route("billing.*", rabbit)
                .route("billing.eu.*", nats)
                .route("billing.eu.vat", kafka)
                .otherwise(kafka);

        assertThat(destinationOf(table, "billing.us")).isSameAs(rabbit);
        assertThat(destinationOf(table, "billing.eu.invoices")).isSameAs(nats);
        assertThat(destinationOf(table, "billing.eu.vat")).isSameAs(kafka);
        assertThat(destinationOf(table, "orders")).isSameAs(kafka);
        assertThat(table.destinations()).containsExactlyInAnyOrder(kafka, rabbit, nats);
        assertThat(table.isDecidedByTopic()).isTrue();
    }

    @Test
    void routesByHeader() {
        RoutingTable table = RoutingTable.byHeader("region").route("eu", rabbit).otherwise(kafka);

        assertThat(table.route(message("orders").header("region", "eu").build()))
                .isSameAs(rabbit);
        assertThat(table.route(message("orders").header("region", "us").build()))
                .isSameAs(kafka);
        assertThat(table.route(message("orders").build())).isSameAs(kafka);
        assertThat(table.isDecidedByTopic()).isFalse();
    }

    @Test
    void saysWhatLedNowhere() {
        assertThatThrownBy(() ->
                        destinationOf(RoutingTable.byTopic().route("a", kafka).rejectOthers(), "orders"))
                .hasMessageContaining("topic 'orders'");
        assertThatThrownBy(() -> destinationOf(
                        RoutingTable.byHeader("region").route("a", kafka).rejectOthers(), "orders"))
                .hasMessageContaining("header region that is missing");
    }

    @Test
    void refusesTwoRoutesForOneValue() {
        RoutingTable.Builder table = RoutingTable.byTopic().route("a", kafka).route("a*", kafka);

        assertThatThrownBy(() -> table.route("a", rabbit)).hasMessageContaining("topic 'a'");
        assertThatThrownBy(() -> table.route("a*", rabbit)).hasMessageContaining("topic 'a*'");
    }

    @Test
    void anOutageOfOneDestinationDoesNotStopTheOthersByTopic() {
        flowsWhileKafkaIsDown(
                RoutingTable.byTopic().route("bills", rabbit).otherwise(kafka), message("orders"), message("bills"));
    }

    @Test
    void anOutageOfOneDestinationDoesNotStopTheOthersByHeader() {
        flowsWhileKafkaIsDown(
                RoutingTable.byHeader("to").route("rabbit", rabbit).otherwise(kafka),
                message("orders"),
                message("orders").header("to", "rabbit"));
    }

    /** Also when both messages have one topic, and the relay has met only those that lead to the destination that is down. */
    private void flowsWhileKafkaIsDown(
            RoutingTable table, OutboxMessage.Builder toKafka, OutboxMessage.Builder toRabbit) {
        InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
        Outbox outbox = Outbox.withDefaults(store);
        kafka.answer(message -> DeliveryResult.outage("down"));
        kafka.setHealth(Health.down("down"));
        try (Relay relay = Relay.builder(store, table).build()) {
            relay.start();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(toKafka.build()));
            kafka.awaitSent(1, SOON);
            for (int i = 1; i <= 10; i++) {
                outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(toRabbit.build()));
                rabbit.awaitDelivered(i, SOON);
            }

            kafka.answer(message -> DeliveryResult.DELIVERED);
            kafka.setHealth(Health.UP);
            kafka.awaitDelivered(1, SOON);
        }
        assertThat(store.stats().dead()).isZero();
        assertThat(store.stats().held()).isZero();
    }
}
