package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcOutboxStore;
import dev.postrider.store.jdbc.JdbcRelayStore;
import dev.postrider.store.jdbc.LaneFence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the store does to the sessions that it borrows, and what it does not. */
abstract class SessionContract {

    private final TestServer server;

    SessionContract(TestServer server) {
        this.server = server;
    }

    @Test
    void leavesASessionAsItWas() throws Exception {
        HikariConfig config = server.config(server.newPlainDatabase("session"));
        config.setMaximumPoolSize(1);
        config.setTransactionIsolation("TRANSACTION_" + server.strictestIsolation());
        config.setConnectionInitSql("SET SESSION wait_timeout = 12345");
        try (HikariDataSource one = new HikariDataSource(config)) {
            TestStore store = TestStore.create(one, 1);
            String before = session(one);

            useEverything(store);

            assertThat(session(one))
                    .isEqualTo(before)
                    .contains("12345", server.strictestIsolation().replace('_', '-'));
        }
    }

    private void useEverything(TestStore test) throws SQLException {
        var store = test.store();
        try (Connection connection = test.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            store.insert(connection, List.of(message(), message(), message()));
            connection.commit();
        }
        Lease lease =
                store.leases().take(0, "a", Duration.ofMinutes(1)).orElseThrow().lease();
        ScanSession scan = new ScanSession(test, Set.of(0));
        List<OutboxRow> rows = scan.fetch().rows();
        scan.letMarksMove();
        store.forRelay(Ordering.PER_KEY).deleteDelivered(List.of(rows.get(0).ref()));
        store.forRelay(Ordering.PER_KEY)
                .settle(
                        lease,
                        List.of(RowOutcome.hot(
                                rows.get(1).ref(), new RowOutcome.RetryLater("broker", 1, "no", Duration.ZERO))));
        Lease stolen = new Lease(0, "b", 7);
        List<RowOutcome> change = List.of(RowOutcome.hot(rows.get(2).ref(), new RowOutcome.Behind("broker")));
        assertThatThrownBy(() -> store.forRelay(Ordering.PER_KEY).settle(stolen, change))
                .isInstanceOf(LeaseLostException.class);
        store.forRelay(Ordering.PER_KEY).held().fetchDue(new DueRequest(Set.of(0), scan, 10, 1000, 1));
        store.leases().renew(List.of(new Renewal(lease, scan.savedPosition(0))), Duration.ofMinutes(1));
        store.leases().heartbeat("a", Duration.ofMinutes(1));
        store.forRelay(Ordering.PER_KEY).releaseDelayed(Set.of(0), 10);
        store.pauses().pause("kafka", "ann");
        store.stats();
        scan.scan().sweep(0, Set.of(), Duration.ZERO, 10);
    }

    private static String session(HikariDataSource one) throws SQLException {
        String isolation =
                "(SELECT VARIABLE_VALUE FROM %s WHERE VARIABLE_NAME IN ('transaction_isolation', 'tx_isolation') LIMIT 1)";
        try (Connection connection = one.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT @@SESSION.wait_timeout, @@autocommit, @postrider_wait_timeout, "
                                + isolation.formatted(
                                        connection
                                                        .getMetaData()
                                                        .getDatabaseProductName()
                                                        .contains("MariaDB")
                                                ? "information_schema.SESSION_VARIABLES"
                                                : "performance_schema.session_variables"))) {
            row.next();
            return row.getString(1) + " " + row.getString(2) + " " + row.getString(3) + " " + row.getString(4);
        }
    }

    @Test
    @Timeout(60)
    void aProcessStoppedInsideATransactionDoesNotKeepItsLane() throws Exception {
        try (HikariDataSource pool = server.newDatabase("stopped")) {
            Duration lease = Duration.ofSeconds(2);
            TestStore store = TestStore.create(pool, 1);
            Lease lost = new JdbcOutboxStore(
                            store.context(),
                            ordering ->
                                    new JdbcRelayStore(store.context(), () -> store.scan(System::nanoTime), ordering))
                    .leases()
                    .take(0, "stopped", lease)
                    .orElseThrow()
                    .lease();
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch resumed = new CountDownLatch(1);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> store.context()
                    .transactions()
                    .run("settle", connection -> {
                        new LaneFence(store.context()).check(connection, lost);
                        inside.countDown();
                        await(resumed);
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("UPDATE outbox_lane SET owner = 'zombie'");
                        }
                    }));
            await(inside);

            TakenLane taken = takeWhenFree(store);
            resumed.countDown();

            assertThat(taken.lease().epoch()).isGreaterThan(lost.epoch());
            assertThat(stopped)
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(StoreException.class);
            assertThat(store.store().leases().lanes().get(0).owner()).contains("next");
        }
    }

    private static TakenLane takeWhenFree(TestStore store) {
        while (true) {
            Optional<TakenLane> taken = store.store().leases().take(0, "next", Duration.ofMinutes(1));
            if (taken.isPresent()) {
                return taken.get();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(50, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Nobody came");
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static OutboxMessage message() {
        return OutboxMessage.builder("orders").key("a").type("test").build();
    }
}
