package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a service sees that lets the outbox begin and commit. */
class OutboxTransactionTest extends OutboxFixture {

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

        assertThatThrownBy(
                        () -> outbox.inTransaction(dataSource(Map.of("setAutoCommit false", broken), calls), tx -> {}))
                .isInstanceOf(StoreException.class)
                .hasCause(broken);
        assertThat(calls).endsWith("close");
    }

    private static DataSource dataSource(Map<String, ? extends Throwable> failures, List<String> calls) {
        return (DataSource) Proxy.newProxyInstance(
                OutboxTransactionTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> connection(failures, calls));
    }

    @Test
    void saysWhyATransactionCannotBegin() {
        Outbox outbox = Outbox.withDefaults(failing(OutboxStore.class));

        assertThatThrownBy(() -> outbox.inTransaction(failing(DataSource.class), tx -> {}))
                .isInstanceOf(StoreException.class)
                .hasMessage("Cannot begin a transaction: Connection to db:5432 refused")
                .hasCauseInstanceOf(SQLException.class);
    }

    private static <T> T failing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                OutboxTransactionTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    throw new SQLException("Connection to db:5432 refused");
                }));
    }
}
