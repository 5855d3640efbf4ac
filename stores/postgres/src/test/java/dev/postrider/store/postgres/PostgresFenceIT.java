package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What a relay that lost its lane can do: nothing. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresFenceIT {

    private static final Database DATABASE = Servers.postgres().createDatabase("fence");
    private static final Duration LONG = Duration.ofHours(1);

    private final SwitchableDataSource stoppable = new SwitchableDataSource(DATABASE.dataSource());
    private final TestOutbox outbox =
            TestOutbox.create(stoppable, builder -> builder.lanes(1).audit(AuditTrail.PARTITIONED));
    private final OutboxStore store = outbox.store();

    @Test
    void keepsNothingForARelayThatLostItsLane() throws Exception {
        Lease zombie = take("zombie", LONG);
        RowRef row = insertedRow();
        outbox.execute("UPDATE {outbox}_lane SET owner = 'successor', epoch = epoch + 1");

        assertThatThrownBy(() -> keep(zombie, row)).isInstanceOf(LeaseLostException.class);

        assertThat(outbox.query("SELECT count(*) FROM {outbox}")).isEqualTo("1");
        assertThat(outbox.query("SELECT count(*) FROM {outbox}_sent")).isEqualTo("0");
    }

    @Test
    void keepsNothingForARelayWhoseLaneIsJustBeingTaken() throws Exception {
        Lease zombie = take("zombie", LONG);
        RowRef row = insertedRow();
        try (Connection taker = outbox.begin();
                Statement statement = taker.createStatement()) {
            statement.execute("UPDATE " + outbox.table() + "_lane SET owner = 'successor', epoch = epoch + 1");
            CompletableFuture<Void> settling = CompletableFuture.runAsync(() -> keep(zombie, row));
            outbox.awaitWaiters(1);
            taker.commit();

            assertThatThrownBy(settling::join).hasCauseInstanceOf(LeaseLostException.class);
        }
        assertThat(outbox.query("SELECT count(*) FROM {outbox}")).isEqualTo("1");
        assertThat(outbox.query("SELECT count(*) FROM {outbox}_sent")).isEqualTo("0");
    }

    @Test
    void makesATakeOverWaitForWhatIsBeingKept() throws Exception {
        Lease owner = take("owner", LONG);
        RowRef row = insertedRow();
        outbox.execute("UPDATE {outbox}_lane SET lease_until = now()");
        try (Connection blocker = outbox.begin();
                Statement statement = blocker.createStatement()) {
            // The keeping statement passes its fence and then waits for the row.
            statement.execute("SELECT * FROM " + outbox.table() + " FOR UPDATE");
            CompletableFuture<Void> settling = CompletableFuture.runAsync(() -> keep(owner, row));
            outbox.awaitWaiters(1);
            CompletableFuture<Optional<TakenLane>> taking =
                    CompletableFuture.supplyAsync(() -> store.leases().take(0, "successor", LONG));
            outbox.awaitWaiters(2);
            blocker.commit();
            settling.join();

            assertThat(taking.join()).isPresent();
        }
        assertThat(outbox.query("SELECT count(*) FROM {outbox}_sent")).isEqualTo("1");
    }

    @Test
    void doesNotHoldUpATakeOverLongerThanTheLeaseWhenItIsStoppedInsideATransaction() throws Exception {
        Duration lease = Duration.ofSeconds(1);
        Lease stopped = take("stopped", lease);
        RowRef row = insertedRow();
        CountDownLatch insideTransaction = new CountDownLatch(1);
        CountDownLatch continued = new CountDownLatch(1);
        stoppable.wrapWith(connection -> stoppingAtCommit(connection, insideTransaction, continued));
        CompletableFuture<Void> settling = CompletableFuture.runAsync(() -> store.forRelay(Ordering.PER_KEY)
                .settle(stopped, List.of(RowOutcome.hot(row, new RowOutcome.RetryLater("broker", 1, "broken", LONG)))));
        insideTransaction.await();
        stoppable.wrapWith(connection -> connection);

        while (store.leases().take(0, "successor", lease).isEmpty()) {
            Thread.onSpinWait();
        }
        continued.countDown();

        assertThatThrownBy(settling::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class);
        assertThat(outbox.query("SELECT count(*) FROM {outbox}")).isEqualTo("1");
        assertThat(outbox.query("SELECT count(*) FROM {outbox}_held")).isEqualTo("0");
    }

    private Lease take(String owner, Duration timeToLive) {
        return store.leases().take(0, owner, timeToLive).orElseThrow().lease();
    }

    private RowRef insertedRow() throws Exception {
        outbox.insertCommitted("k");
        OutboxRow row = ScanDriver.ofAllLanes(store).fetchAll().get(0);
        return row.ref();
    }

    private void keep(Lease lease, RowRef row) {
        store.forRelay(Ordering.PER_KEY).settle(lease, List.of(RowOutcome.hot(row, new RowOutcome.Delivered())));
    }

    /** Like a process that is stopped by a signal just before it commits. */
    private static Connection stoppingAtCommit(
            Connection connection, CountDownLatch insideTransaction, CountDownLatch continued) {
        return (Connection) Proxy.newProxyInstance(
                PostgresFenceIT.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        insideTransaction.countDown();
                        continued.await();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
