package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.servers.ProxiedConnection;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.servers.TcpFaultProxy.Direction;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.postgres.PostgresNotifications.State;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.PgBouncer;
import dev.postrider.testservers.PgBouncer.PoolMode;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Wake-ups between processes, each of which is a store object here. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresNotificationsIT {

    private static final Database DATABASE = Servers.postgres().createDatabase("notify");

    private final TestOutbox outbox = TestOutbox.create(DATABASE.dataSource());
    private final OutboxStore writer = outbox.store();
    private final OutboxStore relay = PostgresOutboxStore.builder(DATABASE.dataSource())
            .prefix(outbox.table())
            .build();

    @Test
    void wakesARelayInAnotherProcessAndEchoesNothing() throws Exception {
        CountDownLatch woken = new CountDownLatch(1);
        relay.wakeSignal().listen(woken::countDown);
        try (PostgresNotifications here = start(writer, DATABASE.dataSource(), Duration.ofMillis(1));
                PostgresNotifications there = start(relay, DATABASE.dataSource(), Duration.ofMillis(1))) {
            awaitState(there, State.ARRIVING);

            writer.wakeSignal().fire();

            woken.await();
            assertThat(here.sent()).isEqualTo(1);
            assertThat(there.sent()).isZero();
        }
    }

    @Test
    void sendsOneNotificationForManySignals() throws Exception {
        CountDownLatch woken = new CountDownLatch(1);
        relay.wakeSignal().listen(woken::countDown);
        try (PostgresNotifications here = start(writer, DATABASE.dataSource(), Duration.ofHours(1));
                PostgresNotifications there = start(relay, DATABASE.dataSource(), Duration.ofHours(1))) {
            awaitState(there, State.ARRIVING);

            for (int i = 0; i < 1000; i++) {
                writer.wakeSignal().fire();
            }

            woken.await();
            assertThat(here.sent()).isEqualTo(1);
        }
    }

    @Test
    void listensAgainAfterItsConnectionWasEnded() throws Exception {
        try (PostgresNotifications there = start(relay, DATABASE.dataSource(), Duration.ofMillis(1))) {
            awaitState(there, State.ARRIVING);
            outbox.execute("""
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'LISTEN%'""");
            awaitState(there, State.NOT_ARRIVING);
            awaitState(there, State.ARRIVING);
        }
    }

    /** The connection that listens, and those of the pool with which it is checked. */
    @Test
    void goesOnWhenItsConnectionsDieSilently() throws Exception {
        try (TcpFaultProxy proxy = TcpFaultProxy.to(
                        DATABASE.server().host(), DATABASE.server().port());
                HikariDataSource pool = poolThrough(proxy);
                PostgresNotifications there = start(relay, pool, Duration.ofMillis(1))) {
            awaitState(there, State.ARRIVING);
            for (ProxiedConnection connection : proxy.connections()) {
                connection.hold(Direction.TO_CLIENT);
                connection.hold(Direction.TO_SERVER);
            }
            awaitState(there, State.NOT_ARRIVING);
            awaitState(there, State.ARRIVING);
        }
    }

    private static HikariDataSource poolThrough(TcpFaultProxy proxy) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + DATABASE.name());
        pool.setUsername(DATABASE.user());
        pool.setPassword(DATABASE.password());
        pool.setMaximumPoolSize(2);
        return pool;
    }

    @Test
    void noticesThatAPoolerSwallowsNotifications() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(DATABASE.server(), PoolMode.TRANSACTION);
                PostgresNotifications there = start(relay, bouncer.dataSource(DATABASE.name()), Duration.ofMillis(1))) {
            awaitState(there, State.NOT_ARRIVING);
        }
    }

    private static PostgresNotifications start(OutboxStore store, DataSource dataSource, Duration debounce) {
        return PostgresNotifications.builder(store, dataSource)
                .debounce(debounce)
                .checkInterval(Duration.ofMillis(200))
                .checkTimeout(Duration.ofSeconds(2))
                .start();
    }

    private static void awaitState(PostgresNotifications notifications, State state) throws InterruptedException {
        await(() -> notifications.state() == state);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
