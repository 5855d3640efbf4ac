package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.RoutingTable;
import dev.postrider.testkit.RecordingDestination;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row that the scan has passed, as a number below all that it looks at. */
class SweepIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource(
            value = TestServer.class,
            names = {"MYSQL", "MARIADB"})
    void findsAMissedRowWhileAnotherDestinationIsPaused(TestServer server) throws Exception {
        RecordingDestination open = new RecordingDestination("open");
        RecordingDestination paused = new RecordingDestination("paused");
        AtomicInteger missed = new AtomicInteger();
        try (HikariDataSource dataSource = server.newDatabase("sweep")) {
            TestStore store = TestStore.create(dataSource, 1);
            store.execute("ALTER TABLE outbox AUTO_INCREMENT = 100");
            insert(store, "NULL", "open");
            insert(store, "NULL", "paused");
            try (Relay relay = Relay.builder(
                            store.store(),
                            RoutingTable.byTopic().route("paused", paused).otherwise(open))
                    .lease(Duration.ofSeconds(4))
                    .sweepInterval(Duration.ofMillis(200))
                    .listener(new RelayListener() {
                        @Override
                        public void sweepFoundMissed(int lane, int rows) {
                            missed.addAndGet(rows);
                        }
                    })
                    .build()) {
                relay.pause("paused");
                relay.start();
                open.awaitDelivered(1, SOON);
                awaitPositionAbove(store, 99);

                insert(store, "5", "open");
                insert(store, "NULL", "paused");
                open.awaitDelivered(2, SOON);
                assertThat(missed).hasValue(1);
                relay.resume("paused");
                paused.awaitDelivered(2, SOON);
            }
            assertThat(missed).hasValue(1);
        }
    }

    private static void insert(TestStore store, String seq, String topic) throws SQLException {
        store.execute(
                "INSERT INTO outbox (seq, id, topic, message_key, type, payload, created_at) VALUES (%s, UNHEX(REPLACE(UUID(), '-', '')), '%s', UUID(), 't', '', UTC_TIMESTAMP(6))"
                        .formatted(seq, topic));
    }

    /** The row for the paused destination holds the saved position back, but not the scan: that of the open one is gone. */
    private static void awaitPositionAbove(TestStore store, long seq) throws Exception {
        while (store.number("SELECT CAST(SUBSTRING_INDEX(scan_position, ' ', -1) AS SIGNED) FROM outbox_lane") <= seq) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
