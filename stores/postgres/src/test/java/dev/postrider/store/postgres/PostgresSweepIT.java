package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.RoutingTable;
import dev.postrider.spi.OutboxRow;
import dev.postrider.testkit.RecordingDestination;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the sweep takes for rows that a relay should know. */
class PostgresSweepIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();
    private static final Duration MIN_AGE = Duration.ofMillis(1);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
    private final ScanDriver driver = ScanDriver.ofAllLanes(outbox.store());

    @Test
    void showsRowsThatWereReturnedAndAreNotSettled() throws Exception {
        outbox.insertCommitted("a", "b", "c");
        List<Long> seqs = driver.fetchAll().stream().map(OutboxRow::seq).toList();
        letTimePass();

        assertThat(sweep(10)).containsExactlyElementsOf(seqs);
        assertThat(sweep(2)).containsExactlyElementsOf(seqs.subList(0, 2));
        driver.settle();
        assertThat(sweep(10)).isEmpty();
    }

    @Test
    void doesNotShowARowThatIsOldButWasCommittedJustNow() throws Exception {
        try (Connection late = outbox.begin()) {
            outbox.insert(late, "late");
            driver.fetchAll();
            letTimePass();
            late.commit();
        }
        assertThat(sweep(10)).isEmpty();
        driver.fetchAll();
        assertThat(driver.scan().sweep(0, Set.of(), Duration.ofHours(1), 10)).isEmpty();
        letTimePass();
        assertThat(sweep(10)).hasSize(1);
    }

    @Test
    void doesNotShowRowsThatAreStillToBeRead() throws Exception {
        outbox.insertCommitted("a", "b", "c", "d");
        driver.limitedTo(2, 1000).fetch();
        letTimePassWithoutReadingTheLane();

        assertThat(sweep(10)).hasSize(2);
    }

    @Test
    void showsNothingOfALaneThatIsReadAnew() throws Exception {
        outbox.insertCommitted("a");
        driver.fetchAll();
        letTimePass();
        driver.scan().restart(0);

        assertThat(sweep(10)).isEmpty();
    }

    @Test
    void doesNotShowTopicsThatArePassedOver() throws Exception {
        outbox.insertCommitted("a");
        driver.excluding("orders").fetchAll();
        letTimePass();

        assertThat(driver.scan().sweep(0, Set.of("orders"), MIN_AGE, 10)).isEmpty();
        assertThat(sweep(10)).hasSize(1);
    }

    /** The row has a transaction number that every snapshot takes for long over. */
    @Test
    void aRelayFindsAMissedRowWhileAnotherDestinationIsPaused() throws Exception {
        RecordingDestination open = new RecordingDestination("open");
        RecordingDestination paused = new RecordingDestination("paused");
        AtomicInteger missed = new AtomicInteger();
        try (Relay relay = Relay.builder(
                        outbox.store(),
                        RoutingTable.byTopic().route("orders", paused).otherwise(open))
                .sweepInterval(Duration.ofMillis(200))
                .listener(new RelayListener() {
                    @Override
                    public void sweepFoundMissed(int lane, int rows) {
                        missed.addAndGet(rows);
                    }
                })
                .build()) {
            relay.pause("paused");
            outbox.insertCommitted("a");
            insert("pg_current_xact_id()");
            relay.start();
            open.awaitDelivered(1, SOON);

            outbox.execute("ALTER TABLE {outbox} DISABLE TRIGGER USER");
            insert("'3'");
            outbox.execute("ALTER TABLE {outbox} ENABLE TRIGGER USER");
            outbox.insertCommitted("b");

            open.awaitDelivered(2, SOON);
            assertThat(missed).hasValue(1);
            relay.resume("paused");
            paused.awaitDelivered(2, SOON);
        }
        assertThat(missed).hasValue(1);
    }

    private void insert(String tx) throws SQLException {
        outbox.execute("""
                INSERT INTO {outbox} (lane, tx, id, topic, type, payload)
                VALUES (0, %s, gen_random_uuid(), 'open', 'T', '')""".formatted(tx));
    }

    private List<Long> sweep(int limit) {
        return Arrays.stream(driver.scan().sweep(0, Set.of(), MIN_AGE, limit))
                .boxed()
                .toList();
    }

    /** Beyond the distance in which snapshots are remembered. */
    private void letTimePass() throws SQLException {
        outbox.execute("SELECT pg_sleep(0.3)");
        driver.fetch();
        outbox.execute("SELECT pg_sleep(0.3)");
        driver.fetch();
    }

    private void letTimePassWithoutReadingTheLane() throws SQLException {
        for (int i = 0; i < 2; i++) {
            outbox.execute("SELECT pg_sleep(0.3)");
            driver.fetchMoment();
        }
    }
}
