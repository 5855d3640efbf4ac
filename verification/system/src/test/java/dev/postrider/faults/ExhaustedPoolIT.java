package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.Destination;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A relay in a pool that it shares with its service, both with their defaults: the pool waits for longer than a lease lasts. */
class ExhaustedPoolIT {

    private final AtomicInteger delivered = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    private final RelayListener listener = new RelayListener() {
        @Override
        public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
            failures.add(failure.getMessage());
        }

        @Override
        public void laneLost(int lane) {
            lost.incrementAndGet();
        }
    };

    @Test
    void saysSoInTimeAndKeepsItsLanes() throws SQLException {
        try (Scene scene = Scene.on(DatabaseUnderTest.POSTGRES.shared());
                HikariDataSource pool = pool(scene)) {
            runThroughAShortage(scene, pool);

            assertThat(failures)
                    .isNotEmpty()
                    .allMatch(text -> text.contains("no connection within 5000 ms, a quarter of the lease"));
            assertThat(lost).as("lost lanes").hasValue(0);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                    .as("connections that were not returned")
                    .isZero();
        }
    }

    private void runThroughAShortage(Scene scene, HikariDataSource pool) throws SQLException {
        try (Relay relay = Relay.builder(
                        Stores.open(pool.getJdbcUrl(), pool, SchemaMode.VERIFY),
                        Destination.blocking("out", message -> delivered.incrementAndGet()))
                .listener(listener)
                .build()) {
            relay.start();
            Eventually.holds(
                    "all lanes are owned",
                    () -> relay.ownedLanes().size() == scene.store().laneCount());

            List<Connection> taken = takeAll(pool);
            Eventually.holds("the relay says so", () -> !failures.isEmpty());
            for (Connection connection : taken) {
                connection.close();
            }
            scene.enqueue("key", 1);
            Eventually.holds("a message is delivered", () -> delivered.get() == 1);
        }
    }

    private static HikariDataSource pool(Scene scene) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(scene.database().jdbcUrl());
        pool.setUsername(scene.database().user());
        pool.setPassword(scene.database().password());
        return pool;
    }

    private static List<Connection> takeAll(HikariDataSource pool) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        while (taken.size() < pool.getMaximumPoolSize()) {
            taken.add(pool.getConnection());
        }
        return taken;
    }
}
