package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.StoreException;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PostgresStandby;
import dev.postrider.testservers.PrivateServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * After a crash or a fail-over the server hands out transaction numbers again that a remembered snapshot takes for finished:
 * what was remembered must go.
 */
class PostgresIncarnationIT {

    private static final int BURST = 2_000;

    @Test
    void startsAnewWhenTheServerComesBackFromACrash() throws SQLException {
        try (PrivateServer server = PostgresServer.startPrivate()) {
            SwitchableDataSource dataSource = new SwitchableDataSource(server.dataSource());
            TestOutbox outbox = TestOutbox.create(dataSource, builder -> builder.lanes(1));
            ScanDriver driver = driverAheadOfTheDisk(outbox);
            String position = driver.position(0).orElseThrow();

            server.killHard();
            server.restart();

            assertNothingIsMissed(outbox, driver, position);
        }
    }

    @Test
    void startsAnewWhenAStandbyIsPromoted() throws SQLException {
        try (PrivateServer primary = PostgresServer.startPrivate()) {
            SwitchableDataSource dataSource = new SwitchableDataSource(primary.dataSource());
            TestOutbox outbox = TestOutbox.create(dataSource, builder -> builder.lanes(1));
            try (PostgresStandby standby = PostgresServer.startStandby(primary)) {
                ScanDriver driver = driverAheadOfTheDisk(outbox);
                String position = driver.position(0).orElseThrow();
                awaitReplay(primary, standby);
                dataSource.switchTo(standby.dataSource());
                assertThatThrownBy(driver::fetch)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("standby");

                primary.killHard();
                standby.promote();

                assertNothingIsMissed(outbox, driver, position);
            }
        }
    }

    @Test
    void keepsItsMemoryWhenTheServerIsRestartedCleanly() throws SQLException {
        try (PrivateServer server = PostgresServer.startPrivate()) {
            TestOutbox outbox =
                    TestOutbox.create(new SwitchableDataSource(server.dataSource()), builder -> builder.lanes(1));
            ScanDriver driver = driverAheadOfTheDisk(outbox);

            server.restart();
            outbox.insertCommitted("after");

            Fetched fetched = driver.fetch();
            assertThat(fetched.newIncarnation()).isFalse();
            assertThat(ScanDriver.keys(fetched.rows())).containsExactly("after");
        }
    }

    @Test
    void startsAnewWhenTheTokenCameOutOfABackup() throws SQLException {
        TestOutbox outbox = TestOutbox.create(TestOutbox.poolOnSharedServer(), builder -> builder.lanes(1));
        ScanDriver driver = driverAheadOfTheDisk(outbox);
        String position = driver.position(0).orElseThrow();

        outbox.execute("CREATE TABLE {outbox}_backup AS SELECT * FROM {outbox}_incarnation");
        outbox.execute("DELETE FROM {outbox}_incarnation");
        outbox.execute("INSERT INTO {outbox}_incarnation SELECT * FROM {outbox}_backup");

        assertNothingIsMissed(outbox, driver, position);
    }

    @Test
    void keepsItsMemoryWhenTheTokenIsFrozenAndMoved() throws SQLException {
        TestOutbox outbox = TestOutbox.create(TestOutbox.poolOnSharedServer(), builder -> builder.lanes(1));
        ScanDriver driver = driverAheadOfTheDisk(outbox);

        outbox.execute("VACUUM (FREEZE) {outbox}_incarnation");
        outbox.execute("VACUUM (FULL, FREEZE) {outbox}_incarnation");
        outbox.insertCommitted("after");

        Fetched fetched = driver.fetch();
        assertThat(fetched.newIncarnation()).isFalse();
        assertThat(ScanDriver.keys(fetched.rows())).containsExactly("after");
    }

    /** Its snapshot lies beyond many transaction numbers that left no trace on the disk. */
    private static ScanDriver driverAheadOfTheDisk(TestOutbox outbox) throws SQLException {
        ScanDriver driver = ScanDriver.ofAllLanes(outbox.store());
        outbox.insertCommitted("before");
        rollBackMany(outbox);
        assertThat(driver.fetchKeys()).containsExactly("before");
        return driver;
    }

    private static void assertNothingIsMissed(TestOutbox outbox, ScanDriver driver, String position)
            throws SQLException {
        for (int i = 0; i < 5; i++) {
            outbox.insertCommitted("after");
        }
        // Until the numbers are higher than any seen before: then nothing but the token tells.
        rollBackMany(outbox);
        rollBackMany(outbox);

        Fetched fetched = driver.fetch();
        assertThat(fetched.newIncarnation()).isTrue();
        assertThat(fetched.rows()).isEmpty();
        assertThat(driver.fetchKeys()).containsExactly("before", "after", "after", "after", "after", "after");
        assertThat(driver.fetchAll()).isEmpty();

        ScanDriver successor = new ScanDriver(outbox.store());
        successor.add(0, Optional.of(position));
        assertThat(successor.fetchAll()).hasSize(6);
    }

    /** Takes and drops transaction numbers, which writes nothing. */
    private static void rollBackMany(TestOutbox outbox) throws SQLException {
        try (Connection connection = outbox.begin();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < BURST; i++) {
                statement.execute("SELECT pg_current_xact_id()");
                connection.rollback();
            }
        }
    }

    private static void awaitReplay(PrivateServer primary, PrivateServer standby) throws SQLException {
        try (Connection from = primary.dataSource().getConnection();
                Connection to = standby.dataSource().getConnection()) {
            String written = TestOutbox.query(from, "SELECT pg_current_wal_flush_lsn()");
            String replayed = "SELECT pg_last_wal_replay_lsn() >= '" + written + "'";
            while (!TestOutbox.query(to, replayed).equals("t")) {
                Thread.onSpinWait();
            }
        }
    }
}
