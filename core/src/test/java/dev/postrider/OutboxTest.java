package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
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
class OutboxTest {

    private static final int MIB = 1 << 20;

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, clock, false, MessageLimits.defaults());
    private final Outbox outbox = Outbox.withDefaults(store);
    private final List<String> wakeUps = new ArrayList<>();

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
    class InATransaction {

        @Test
        void wakesRelaysAfterTheCommitAndNotBefore() {
            listen();
            outbox.inTransaction(store.dataSource(), tx -> {
                tx.enqueue(message().build());
                assertThat(wakeUps).isEmpty();
            });

            assertThat(wakeUps).containsExactly("1 undelivered");
        }

        @Test
        void insertsAtOnceSoThatARollbackToASavepointTakesItsMessagesAlong() throws SQLException {
            OutboxMessage kept = message().build();
            OutboxMessage undone = message().build();
            outbox.inTransaction(store.dataSource(), tx -> {
                tx.enqueue(kept);
                Savepoint savepoint = tx.connection().setSavepoint();
                tx.enqueue(undone);
                tx.connection().rollback(savepoint);
            });
            assertThat(outbox.stats().undelivered()).isOne();
        }

        @Test
        void wakesNobodyForATransactionWithoutMessages() throws SQLException {
            listen();
            outbox.inTransaction(
                    store.dataSource(),
                    tx -> assertThat(tx.connection().getAutoCommit()).isFalse());

            assertThat(wakeUps).isEmpty();
        }

        @Test
        void takesAFailingListenerOfTheWakeUpForNoFailureOfTheTransaction() {
            store.wakeSignal().listen(() -> {
                throw new IllegalStateException("broken listener");
            });
            listen();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message().build()));

            assertThat(wakeUps).hasSize(1);
            assertThat(outbox.stats().undelivered()).isEqualTo(1);
        }

        @Test
        void returnsWhatTheWorkReturns() {
            String result = outbox.inTransactionReturning(store.dataSource(), tx -> "result");

            assertThat(result).isEqualTo("result");
        }

        @Test
        void rollsBackAndThrowsOnWhatTheWorkThrows() {
            listen();
            Exception broken = new Exception("business rule");

            assertThatThrownBy(() -> outbox.inTransaction(store.dataSource(), tx -> {
                        tx.enqueue(message().build());
                        throw broken;
                    }))
                    .isSameAs(broken);
            assertThat(outbox.stats().undelivered()).isZero();
            assertThat(wakeUps).isEmpty();
        }

        @Test
        void rollsBackOnAnErrorToo() {
            assertThatThrownBy(() -> outbox.inTransaction(store.dataSource(), tx -> {
                        tx.enqueue(message().build());
                        throw new AssertionError("bug");
                    }))
                    .isInstanceOf(AssertionError.class);
            assertThat(outbox.stats().undelivered()).isZero();
        }

        @Test
        void keepsAFailedRollbackAsSuppressed() {
            List<String> calls = new ArrayList<>();
            SQLException lost = new SQLException("connection lost");
            IllegalStateException broken = new IllegalStateException("business rule");

            assertThatThrownBy(() -> outbox.inTransaction(dataSource(Map.of("rollback", lost), calls), tx -> {
                        throw broken;
                    }))
                    .isSameAs(broken)
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .satisfies(nested -> assertThat(nested).hasCause(lost)));
            assertThat(calls).endsWith("close");
        }

        @Test
        void saysThatTheOutcomeOfAFailedCommitIsUnknown() {
            List<String> calls = new ArrayList<>();
            SQLException lost = new SQLException("connection lost");
            listen();

            assertThatThrownBy(() -> outbox.inTransaction(dataSource(Map.of("commit", lost), calls), tx -> {}))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("unknown")
                    .hasCause(lost);
            assertThat(calls).containsSubsequence("commit", "rollback", "close");
            assertThat(wakeUps).isEmpty();
        }

        @Test
        void countsACommitAlsoWhenTheConnectionBreaksAfterwards() {
            List<String> calls = new ArrayList<>();
            Map<String, Throwable> broken =
                    Map.of("setAutoCommit true", new IllegalStateException("lost"), "close", new SQLException("lost"));

            String result = outbox.inTransactionReturning(dataSource(broken, calls), tx -> "done");

            assertThat(result).isEqualTo("done");
            assertThat(calls).contains("commit").doesNotContain("rollback");
        }

        @Test
        void givesTheConnectionBackAsItWas() {
            List<String> calls = new ArrayList<>();
            outbox.inTransaction(dataSource(Map.of(), calls), tx -> {});

            assertThat(calls)
                    .containsExactly("getAutoCommit", "setAutoCommit false", "commit", "setAutoCommit true", "close");
        }

        @Test
        void refusesAConnectionThatMayBeInATransactionAlready() throws SQLException {
            Connection open = open();
            outbox.enqueue(open, message().build());

            assertThatThrownBy(() -> outbox.inTransaction(
                            always(open), tx -> tx.enqueue(message().build())))
                    .isInstanceOf(AlreadyInTransactionException.class)
                    .hasMessageContaining("auto-commit off")
                    .hasMessageContaining("outbox.enqueue(connection, ...)")
                    .hasMessageContaining("poolDisablesAutoCommit(true)");
            assertThat(outbox.stats().undelivered()).isZero();
        }

        @Test
        void takesAConnectionOfAPoolThatIsKnownToDisableAutoCommit() throws SQLException {
            Outbox informed = Outbox.builder(store).poolDisablesAutoCommit(true).build();

            informed.inTransaction(always(open()), tx -> tx.enqueue(message().build()));

            assertThat(outbox.stats().undelivered()).isOne();
        }

        private static DataSource always(Connection connection) {
            return (DataSource) Proxy.newProxyInstance(
                    OutboxTest.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> connection);
        }

        @Test
        void closesAConnectionThatCannotBeginATransaction() {
            List<String> calls = new ArrayList<>();
            SQLException broken = new SQLException("read-only");

            assertThatThrownBy(() ->
                            outbox.inTransaction(dataSource(Map.of("setAutoCommit false", broken), calls), tx -> {}))
                    .isInstanceOf(StoreException.class)
                    .hasCause(broken);
            assertThat(calls).endsWith("close");
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

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("t").key("k").type("x");
    }

    private Connection open() throws SQLException {
        Connection connection = store.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void listen() {
        store.wakeSignal().listen(() -> wakeUps.add(outbox.stats().undelivered() + " undelivered"));
    }

    /** What a relay delivers now. */
    private List<OutboxMessage> delivered() {
        RecordingDestination destination = new RecordingDestination("broker");
        Relay.withDefaults(store, destination).drainOnce();
        return destination.delivered();
    }

    private static DataSource dataSource(Map<String, ? extends Throwable> failures, List<String> calls) {
        return (DataSource) Proxy.newProxyInstance(
                OutboxTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> connection(failures, calls));
    }

    /** A connection that notes its calls and fails where it should. */
    private static Connection connection(Map<String, ? extends Throwable> failures, List<String> calls) {
        Map<String, Throwable> byCall = new HashMap<>(failures);
        return (Connection) Proxy.newProxyInstance(
                OutboxTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    String call = method.getName() + (arguments == null ? "" : " " + arguments[0]);
                    calls.add(call);
                    if (byCall.containsKey(call)) {
                        throw byCall.get(call);
                    }
                    return method.getReturnType() == boolean.class ? true : null;
                });
    }
}
