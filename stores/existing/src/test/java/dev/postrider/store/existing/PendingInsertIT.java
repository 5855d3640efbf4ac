package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writing to the tables between which rows move (A000-09 and -16 of the reference). */
class PendingInsertIT {

    private final RecordingDestination broker = new RecordingDestination("broker");

    private static OutboxMessage.Builder placed() {
        return OutboxMessage.builder("shop.orders.v1").type("shop.orders.v1.OrderPlaced");
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void sendsWhatWasWrittenInACommittedTransaction(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        OutboxStore store = MoveOutboxStore.builder(tables.dataSource()).build();
        Outbox outbox = Outbox.withDefaults(store);
        OutboxMessage order = placed().key("order-17")
                .contentType("application/proto")
                .header("ce_source", "/shop")
                .header("ce_subject", "order-17")
                .header("ce_time", "2026-01-28T15:04:05.123456789+02:00")
                .header("ce_dataschema", "https://example.com/s/1?v=2")
                .header("ce_tenant", "\"blau\" größe")
                .payload(new byte[] {0, -1, 39, 92})
                .build();

        assertThatThrownBy(() -> outbox.inTransaction(tables.dataSource(), tx -> {
                    tx.enqueue(placed().build());
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        outbox.inTransaction(tables.dataSource(), tx -> tx.enqueue(order));

        assertThat(tables.column("SELECT HEX(id) FROM outbox_pending"))
                .containsExactly(order.id().toString().replace("-", "").toUpperCase(Locale.ROOT));
        Relay.builder(store, broker).ordering(Ordering.NONE).build().drainOnce();
        assertThat(broker.delivered()).singleElement().satisfies(sent -> {
            assertThat(sent.id()).isEqualTo(order.id());
            assertThat(sent.topic()).isEqualTo(order.topic());
            assertThat(sent.type()).isEqualTo(order.type());
            assertThat(sent.key()).isEqualTo(order.key());
            assertThat(sent.contentType()).isEqualTo(order.contentType());
            assertThat(sent.headers().asMap())
                    .containsAllEntriesOf(order.headers().asMap());
            assertThat(sent.payload()).isEqualTo(order.payload());
        });
    }

    /** The relay that the tables are from sends in order, and stops at what fails. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void relaysFirstInFirstOutUnlessToldOtherwise(Server server) {
        Tables tables = Tables.empty(server, Preset.PENDING_WAIT);
        OutboxStore store = MoveOutboxStore.builder(tables.dataSource()).build();
        List<OutboxMessage> orders =
                IntStream.range(0, 30).mapToObj(n -> placed().build()).toList();
        Outbox.withDefaults(store).inTransaction(tables.dataSource(), tx -> tx.enqueue(orders));
        broker.answerNext(DeliveryResult.retry("busy"));

        try (Relay relay = Relay.builder(store, broker)
                .backoff(Backoff.constant(Duration.ofMillis(50)))
                .build()) {
            relay.start();
            broker.awaitDelivered(orders.size(), Duration.ofSeconds(60));
        }

        assertThat(broker.delivered())
                .extracting(OutboxMessage::id)
                .containsExactlyElementsOf(
                        orders.stream().map(OutboxMessage::id).toList());
    }

    @Test
    void takesTheKeyFromTheAttributeThatItIsTold() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        OutboxStore store = MoveOutboxStore.builder(tables.dataSource())
                .keyAttribute("tenant")
                .build();
        Outbox.withDefaults(store)
                .inTransaction(
                        tables.dataSource(),
                        tx -> tx.enqueue(
                                placed().key("blue")
                                        .header("ce_tenant", "blue")
                                        .header("ce_subject", "order-1")
                                        .build(),
                                placed().header("ce_subject", "order-2").build()));

        Relay.builder(store, broker).ordering(Ordering.PER_KEY).build().drainOnce();

        assertThat(broker.delivered())
                .extracting(OutboxMessage::key)
                .containsExactlyInAnyOrder(Optional.of("blue"), Optional.empty());
    }

    /** As generated publishers give it to events that have no key of their own. */
    @Test
    void takesAKeyThatIsTheTopicForOneOrderOfAll() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        Outbox outbox =
                Outbox.withDefaults(MoveOutboxStore.builder(tables.dataSource()).build());

        outbox.inTransaction(
                tables.dataSource(),
                tx -> tx.enqueue(placed().key("shop.orders.v1").build()));

        assertThat(tables.value("SELECT JSON_UNQUOTE(JSON_EXTRACT(metadata, '$.Subject')) FROM outbox_pending"))
                .isEmpty();
    }

    @Test
    void refusesWhatTheTableHasNoPlaceFor() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.PENDING_WAIT);
        Outbox outbox =
                Outbox.withDefaults(MoveOutboxStore.builder(tables.dataSource()).build());
        List<UnaryOperator<OutboxMessage.Builder>> changes = List.of(
                message -> message.key("a").header("ce_subject", "b"),
                message -> message.type("shop.other.v1.OrderPlaced"),
                message -> message.dedupKey("once"),
                message -> message.deliverAt(Instant.parse("2100-01-01T00:00:00Z")),
                message -> message.deliverAfter(Duration.ofDays(1)),
                message -> message.header("X-Tenant", "blue"));

        for (UnaryOperator<OutboxMessage.Builder> change : changes) {
            OutboxMessage message = change.apply(placed()).build();
            assertThatThrownBy(() -> outbox.inTransaction(tables.dataSource(), tx -> tx.enqueue(message)))
                    .isInstanceOf(InvalidMessageException.class);
        }
        assertThat(tables.value("SELECT COUNT(*) FROM outbox_pending")).isEqualTo("0");
    }
}
