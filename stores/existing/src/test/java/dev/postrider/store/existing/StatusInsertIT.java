package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writing to tables with a status from Java, as their own libraries do (A001-14, A003-11 and A004-05 of the reference). */
class StatusInsertIT {

    private final RecordingDestination broker = new RecordingDestination("broker");

    /** With a header and a foreign id where the table has a place for them. */
    private static OutboxMessage order(Preset preset, String key, int n) {
        return switch (preset) {
            case OUTBOX_EVENTS ->
                OutboxMessage.builder("outbox")
                        .id(MessageId.of("order-created-" + n))
                        .type("outbox.event")
                        .key(key)
                        .json("{\"n\": " + n + "}")
                        .build();
            case EVENT_OUTBOX ->
                OutboxMessage.builder("OrderPlaced")
                        .id(MessageId.of("order-created-" + n))
                        .type("OrderPlaced")
                        .key(key)
                        .correlationId("c\"1")
                        .header("tenant", "größe")
                        .json("{\"n\": " + n + "}")
                        .build();
            case ENUM_STATUS ->
                OutboxMessage.builder("order")
                        .type("OrderPlaced")
                        .key(key)
                        .json("{\"n\": " + n + "}")
                        .build();
            default -> {
                OutboxMessage.Builder message = OutboxMessage.builder("order")
                        .type("OrderPlaced")
                        .key(key)
                        .header("ce_source", "/shop")
                        .header("tenant", "größe");
                yield (preset.label().contains("binary")
                                ? message.payload(new byte[] {0, -1, (byte) n})
                                : message.json("{\"n\": " + n + "}"))
                        .build();
            }
        };
    }

    @ParameterizedTest
    @MethodSource("dev.postrider.store.existing.Layouts#all")
    void sendsWhatWasWrittenInACommittedTransaction(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        OutboxStore store = tables.store().build();
        Outbox outbox = Outbox.withDefaults(store);
        OutboxMessage order = order(preset, "order-17", 1);

        assertThatThrownBy(() -> outbox.inTransaction(tables.dataSource(), tx -> {
                    tx.enqueue(order(preset, "order-18", 2));
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        outbox.inTransaction(tables.dataSource(), tx -> tx.enqueue(order));

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

    @ParameterizedTest
    @MethodSource("dev.postrider.store.existing.Layouts#leaders")
    void keepsTheOrderInWhichMessagesOfOneCallWereGiven(Server server, Preset preset) {
        if (preset == Preset.PENDING_WAIT) {
            return;
        }
        Tables tables = Tables.empty(server, preset);
        OutboxStore store = tables.leaderStore();
        List<OutboxMessage> orders = new ArrayList<>(IntStream.range(0, 250)
                .mapToObj(n -> order(preset, "order-17", n))
                .toList());

        Outbox.withDefaults(store).inTransaction(tables.dataSource(), tx -> tx.enqueue(orders));

        Relay.builder(store, broker).build().drainOnce();
        assertThat(broker.delivered())
                .extracting(OutboxMessage::id)
                .containsExactlyElementsOf(
                        orders.stream().map(OutboxMessage::id).toList());
    }

    @Test
    void refusesWhatATableWithoutHeadersHasNoPlaceFor() {
        refuses(
                Preset.ENUM_STATUS,
                List.of(
                        message -> message.header("tenant", "blue"),
                        message -> message.header("aggregatetype", "another than the topic"),
                        message -> message.id(MessageId.of("x".repeat(37))),
                        message -> message.contentType("text/plain"),
                        message -> message.payload(new byte[] {-1}),
                        message -> message.key("k".repeat(256)),
                        message -> message.dedupKey("once"),
                        message -> message.deliverAt(Instant.parse("2100-01-01T00:00:00Z")),
                        message -> message.deliverAfter(Duration.ofDays(1))));
    }

    @Test
    void refusesAnIdThatIsNoUuidWhereTheTableHoldsUuids() {
        refuses(Preset.RECORDS, List.of(message -> message.id(MessageId.of("order-42"))));
        refuses(
                Preset.RECORDS_PARTITIONED,
                List.of(message -> message.id(MessageId.of("7d444840-9dc0-41d1-b245-5ffdce74fad2"))));
    }

    private static void refuses(Preset preset, List<UnaryOperator<OutboxMessage.Builder>> changes) {
        Tables tables = Tables.empty(Server.MYSQL, preset);
        Outbox outbox = Outbox.withDefaults(tables.store().build());
        for (UnaryOperator<OutboxMessage.Builder> change : changes) {
            OutboxMessage message = change.apply(
                            OutboxMessage.builder("order").type("OrderPlaced").json("{}"))
                    .build();
            assertThatThrownBy(() -> outbox.inTransaction(tables.dataSource(), tx -> tx.enqueue(message)))
                    .isInstanceOf(InvalidMessageException.class);
        }
        assertThat(tables.value("SELECT COUNT(*) FROM " + tables.table())).isEqualTo("0");
    }

    @Test
    void writesRowsThatTheirOwnRelayWouldTakeAtOnce() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);

        Outbox.withDefaults(tables.store().build())
                .inTransaction(tables.dataSource(), tx -> tx.enqueue(order(Preset.ENUM_STATUS, "order-17", 1)));

        assertThat(tables.value("SELECT CONCAT_WS(' ', status, attempts, next_attempt_at <= UTC_TIMESTAMP(6),"
                        + " ABS(TIMESTAMPDIFF(SECOND, created_at, UTC_TIMESTAMP(6))) < 5) FROM outbox"))
                .isEqualTo("pending 0 1 1");
    }
}
