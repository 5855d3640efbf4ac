package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a service sees that writes messages. */
class OutboxTest extends OutboxFixture {

    private static final int MIB = 1 << 20;

    @Nested
    class Enqueueing {

        @Test
        void insertsInTheCallersTransactionAndReturnsTheIdsInOrder() throws SQLException {
            Connection connection = open();
            OutboxMessage first = message().build();
            OutboxMessage second = message().build();

            assertThat(outbox.enqueue(connection, first, second)).containsExactly(first.id(), second.id());
            assertThat(outbox.stats().undelivered()).isZero();
            connection.commit();
            assertThat(outbox.stats().undelivered()).isEqualTo(2);
        }

        @Test
        void leavesCommitAndWakeUpToTheCaller() throws SQLException {
            listen();
            Connection connection = open();
            outbox.enqueue(connection, message().build());
            connection.commit();
            assertThat(wakeUps).isEmpty();

            outbox.wake();
            assertThat(wakeUps).hasSize(1);
        }

        @Test
        void refusesAConnectionWithoutTransactionAndWritesNothing() throws SQLException {
            Connection connection = store.dataSource().getConnection();

            assertThatThrownBy(() -> outbox.enqueue(connection, message().build()))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("auto-commit");
            connection.commit();
            assertThat(outbox.stats().undelivered()).isZero();
        }

        @Test
        void takesAConnectionWithoutTransactionWhenToldSo() throws SQLException {
            Connection connection = store.dataSource().getConnection();
            Outbox lenient = Outbox.builder(store).allowAutoCommit(true).build();

            assertThat(lenient.enqueue(connection, message().build())).hasSize(1);
        }

        @Test
        void saysWhenAConnectionCannotTellWhetherItIsInATransaction() {
            SQLException broken = new SQLException("closed");

            assertThatThrownBy(() -> outbox.enqueue(
                            connection(Map.of("getAutoCommit", broken), new ArrayList<>()),
                            message().build()))
                    .isInstanceOf(StoreException.class)
                    .hasCause(broken);
        }

        @Test
        void insertsNothingForAnEmptyList() throws SQLException {
            assertThat(outbox.enqueue(open(), List.of())).isEmpty();
        }

        @Test
        void leavesOutWhatItsDedupKeyHasSeen() {
            OutboxMessage first = message().dedupKey("order-17-placed").build();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(first));
            listen();

            outbox.inTransaction(
                    store.dataSource(),
                    tx -> assertThat(tx.enqueue(
                                    message().dedupKey("order-17-placed").build()))
                            .isEmpty());

            assertThat(outbox.stats().undelivered()).isEqualTo(1);
            assertThat(wakeUps).isEmpty();
        }

        @Test
        void addsItsSourceToMessagesThatNameNone() {
            Outbox orders = Outbox.builder(store).source("/orders").build();
            OutboxMessage other = orders.message("t")
                    .type("x")
                    .header(Headers.SOURCE, "/other")
                    .build();
            orders.inTransaction(
                    store.dataSource(),
                    tx -> tx.enqueue(orders.message("t").type("x").build(), other));

            assertThat(delivered())
                    .extracting(message -> message.headers().get(Headers.SOURCE))
                    .containsExactlyInAnyOrder(Optional.of("/orders"), Optional.of("/other"));
        }

        @Test
        void countsItsSourceAsAHeader() {
            Outbox wordy =
                    Outbox.builder(store).source("/" + "o".repeat(70_000)).build();

            assertThatThrownBy(() -> wordy.inTransaction(
                            store.dataSource(), tx -> tx.enqueue(message().build())))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("headers");
        }

        @Test
        void takesIdsFromItsGenerator() {
            MessageId id = new MessageId(1, 2);

            assertThat(Outbox.builder(store)
                            .idGenerator(() -> id)
                            .build()
                            .message("t")
                            .type("x")
                            .build()
                            .id())
                    .isEqualTo(id);
        }

        @Test
        void keepsADelayedMessageUntilItIsDue() {
            outbox.inTransaction(
                    store.dataSource(),
                    tx -> tx.enqueue(
                            message().deliverAfter(Duration.ofMinutes(5)).build(),
                            message()
                                    .deliverAt(clock.instant().plusSeconds(600))
                                    .build()));
            assertThat(outbox.stats().delayed()).isEqualTo(2);
            assertThat(delivered()).isEmpty();

            clock.advance(Duration.ofMinutes(5));
            assertThat(delivered()).hasSize(1);
            clock.advance(Duration.ofMinutes(5));
            assertThat(delivered()).hasSize(1);
        }

        @Test
        void carriesCorrelationAndCauseToTheReceiver() {
            OutboxMessage cause = message().correlationId("basket-9").build();
            OutboxMessage effect = message().causedBy(cause).build();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(effect));

            assertThat(delivered()).singleElement().satisfies(message -> {
                assertThat(message.headers().correlationId()).contains("basket-9");
                assertThat(message.headers().causationId()).contains(cause.id().toString());
            });
        }
    }

    @Nested
    class BadInput {

        static Stream<Arguments> nulls() {
            InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
            Outbox outbox = Outbox.withDefaults(store);
            DataSource dataSource = store.dataSource();
            return Stream.of(
                    refusal("store", () -> Outbox.withDefaults(null)),
                    refusal("idGenerator", () -> Outbox.builder(store).idGenerator(null)),
                    refusal("source", () -> Outbox.builder(store).source(null)),
                    refusal("connection", () -> outbox.enqueue(null, message().build())),
                    refusal("messages", () -> outbox.enqueue(dataSource.getConnection(), (List<OutboxMessage>) null)),
                    refusal("messages", () -> outbox.enqueue(dataSource.getConnection(), (OutboxMessage[]) null)),
                    refusal(
                            "messages",
                            () -> outbox.inTransaction(dataSource, tx -> tx.enqueue((OutboxMessage[]) null))),
                    refusal(
                            "message",
                            () -> outbox.inTransaction(
                                    dataSource, tx -> tx.enqueue(message().build(), null))),
                    refusal("dataSource", () -> outbox.inTransaction(null, tx -> {})),
                    refusal("work", () -> outbox.inTransaction(dataSource, null)),
                    refusal("work", () -> outbox.inTransactionReturning(dataSource, null)));
        }

        private static Arguments refusal(String field, ThrowingCallable call) {
            return Arguments.of(field, call);
        }

        @ParameterizedTest
        @MethodSource("nulls")
        void namesWhatIsNull(String field, ThrowingCallable call) {
            assertThatThrownBy(call)
                    .isInstanceOfAny(NullPointerException.class, InvalidMessageException.class)
                    .hasMessageContaining(field);
        }

        @Test
        void saysWhichMessageOfManyIsNullAndWritesNothing() {
            assertThatThrownBy(() -> outbox.inTransaction(
                            store.dataSource(),
                            tx -> tx.enqueue(Arrays.asList(
                                    message().build(), null, message().build()))))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("number 2 of 3");
            assertThat(outbox.stats().undelivered()).isZero();
        }

        @Test
        void writesNoneOfAListWithOneMessageThatIsTooLarge() throws SQLException {
            Connection connection = open();
            OutboxMessage tooLarge = message().payload(new byte[MIB + 1]).build();

            assertThatThrownBy(() -> outbox.enqueue(connection, message().build(), tooLarge))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("payload is 1,048,577 bytes long, the limit is 1 MiB");
            connection.commit();
            assertThat(outbox.stats().undelivered()).isZero();
        }

        @Test
        void refusesAKeyOfTenMebibytesWithoutRepeatingIt() {
            assertThatThrownBy(() -> message().key("k".repeat(10 * MIB)).build())
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("key")
                    .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(500));
        }

        @Test
        void refusesAHeaderThatMakesNoValidEventAndWritesNothing() throws SQLException {
            Connection connection = open();
            OutboxMessage untimely = message().header("ce_time", "yesterday").build();
            OutboxMessage misnamed = message().header("ce_myTenant", "blue").build();

            assertThatThrownBy(() -> outbox.enqueue(connection, message().build(), untimely))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("attribute time")
                    .hasMessageContaining("2026-01-31T12:00:00Z");
            assertThatThrownBy(() -> outbox.enqueue(connection, misnamed))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("myTenant");
            connection.commit();
            assertThat(outbox.stats().undelivered()).isZero();
        }

        @Test
        void refusesAHeaderNameWithALineBreak() {
            assertThatThrownBy(() -> message().header("a\nb", "x").build())
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("header")
                    .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n"));
        }
    }
}
