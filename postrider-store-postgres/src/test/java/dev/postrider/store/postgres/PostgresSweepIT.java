package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the sweep takes for rows that a relay should know. */
class PostgresSweepIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();
    private static final Duration MIN_AGE = Duration.ofMillis(1);

    private final TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
    private final ScanDriver driver = ScanDriver.ofAllLanes(outbox.store());

    @Test
    void showsRowsThatWereReturnedAndAreNotSettled() throws Exception {
        outbox.insertCommitted("a", "b", "c");
        List<Long> seqs = driver.fetchAll().stream().map(OutboxRow::seq).toList();
        letTimePass();

        assertThat(sweep(0, 10)).containsExactlyElementsOf(seqs);
        assertThat(sweep(0, 2)).containsExactlyElementsOf(seqs.subList(0, 2));
        assertThat(sweep(seqs.get(0), 10)).containsExactlyElementsOf(seqs.subList(1, 3));
        driver.settle();
        assertThat(sweep(0, 10)).isEmpty();
    }

    @Test
    void doesNotShowARowThatIsOldButWasCommittedJustNow() throws Exception {
        try (Connection late = outbox.begin()) {
            outbox.insert(late, "late");
            driver.fetchAll();
            letTimePass();
            late.commit();
        }
        assertThat(sweep(0, 10)).isEmpty();
        driver.fetchAll();
        assertThat(driver.scan().sweep(0, 0, Duration.ofHours(1), 10)).isEmpty();
        letTimePass();
        assertThat(sweep(0, 10)).hasSize(1);
    }

    @Test
    void doesNotShowRowsThatAreStillToBeRead() throws Exception {
        outbox.insertCommitted("a", "b", "c", "d");
        driver.limitedTo(2, 1000).fetch();
        letTimePassWithoutReadingTheLane();

        assertThat(sweep(0, 10)).hasSize(2);
    }

    @Test
    void showsNothingOfALaneThatIsReadAnew() throws Exception {
        outbox.insertCommitted("a");
        driver.fetchAll();
        letTimePass();
        driver.scan().restart(0);

        assertThat(sweep(0, 10)).isEmpty();
    }

    @Test
    void doesNotShowTopicsThatWerePassedOver() throws Exception {
        outbox.insertCommitted("a");
        driver.excluding("orders").fetchAll();
        letTimePass();

        assertThat(sweep(0, 10)).isEmpty();
    }

    private List<Long> sweep(long after, int limit) {
        return Arrays.stream(driver.scan().sweep(0, after, MIN_AGE, limit))
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
