package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PostgresStandby;
import dev.postrider.testservers.PrivateServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * After a crash or a fail-over the server hands out transaction numbers again that a remembered snapshot takes for finished:
 * what was remembered must go.
 */
class PostgresIncarnationIT {

    private static final int BURST = 2_000;
    private static final Duration SOON = Duration.ofSeconds(60);

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
    void startsAnewWhereTheTokenSurvivesARestartOfTheServer() throws SQLException {
        try (PrivateServer server = PostgresServer.startPrivate()) {
            TestOutbox outbox = likeAurora(server);
            ScanDriver driver = driverAheadOfTheDisk(outbox);
            String position = driver.position(0).orElseThrow();

            server.killHard();
            server.restart();

            assertNothingIsMissed(outbox, driver, position);
        }
    }

    /** The server ends all sessions and recovers, in the same process as before. */
    @Test
    void startsAnewWhereTheTokenSurvivesTheDeathOfOneProcess() throws SQLException {
        try (PrivateServer server = PostgresServer.startPrivate()) {
            TestOutbox outbox = likeAurora(server);
            assumeThat(Integer.parseInt(outbox.query("SHOW server_version_num")))
                    .as("older servers answer slowly when they last dropped their statistics, so they are not asked")
                    .isGreaterThanOrEqualTo(150_000);
            ScanDriver driver = driverAheadOfTheDisk(outbox);
            String position = driver.position(0).orElseThrow();

            crashOneSession(server.dataSource());

            assertNothingIsMissed(outbox, driver, position);
        }
    }

    /** Its table of the token survives a crash, as on Aurora. */
    private static TestOutbox likeAurora(PrivateServer server) throws SQLException {
        TestOutbox outbox =
                TestOutbox.create(new SwitchableDataSource(server.dataSource()), builder -> builder.lanes(1));
        outbox.execute("ALTER TABLE {outbox}_incarnation SET LOGGED");
        outbox.execute("CREATE FUNCTION aurora_version() RETURNS text LANGUAGE sql AS $$ SELECT '17.4.0' $$");
        return outbox;
    }

    private static void crashOneSession(DataSource dataSource) throws SQLException {
        try (Connection witness = dataSource.getConnection()) {
            try (Connection connection = dataSource.getConnection()) {
                long process = Long.parseLong(TestOutbox.query(connection, "SELECT pg_backend_pid()"));
                ProcessHandle.of(process).orElseThrow().destroyForcibly();
            }
            while (answers(witness)) {
                Thread.onSpinWait();
            }
        }
        while (!accepts(dataSource)) {
            Thread.onSpinWait();
        }
    }

    private static boolean accepts(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return answers(connection);
        } catch (SQLException recovering) {
            return false;
        }
    }

    private static boolean answers(Connection connection) {
        try {
            return !TestOutbox.query(connection, "SELECT 1").isEmpty();
        } catch (SQLException ended) {
            return false;
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

    /** No fetch of it fails meanwhile: nothing but the token tells it that the server is another one. */
    @Test
    void aRelayThatRunsThroughAPromotionMissesNothingAndSettlesNothingFromBefore()
            throws SQLException, InterruptedException {
        try (PrivateServer primary = PostgresServer.startPrivate()) {
            SwitchableDataSource dataSource = new SwitchableDataSource(primary.dataSource());
            TestOutbox outbox = TestOutbox.create(dataSource, builder -> builder.lanes(1));
            RecordingDestination destination = new RecordingDestination("broker");
            FetchWatch watch = new FetchWatch();
            try (PostgresStandby standby = PostgresServer.startStandby(primary);
                    Relay relay = Relay.builder(outbox.store(), destination)
                            .listener(watch)
                            .build()) {
                relay.start();
                outbox.insertCommitted("settled");
                awaitEmpty(outbox);
                destination.hold();
                outbox.insertCommitted("in flight");
                destination.awaitSent(2, SOON);
                rollBackMany(primary.dataSource());
                watch.forget();
                watch.awaitFetches(2);
                awaitReplay(primary, standby);

                dataSource.hold();
                primary.killHard();
                standby.promote();
                try (Connection connection = standby.dataSource().getConnection()) {
                    outbox.insert(connection, "a", "b", "c");
                }
                passTheNumbersOfBefore(standby.dataSource());
                watch.forget();
                dataSource.switchTo(standby.dataSource());
                watch.awaitFetches(1);
                destination.release();

                destination.awaitDelivered(6, SOON);
                awaitEmpty(outbox);
            }
            assertThat(destination.delivered())
                    .extracting(message -> message.key().orElseThrow())
                    .containsExactlyInAnyOrder("settled", "in flight", "in flight", "a", "b", "c");
            assertThat(watch.missed()).isZero();
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
        rollBackMany(outbox.dataSource());
        assertThat(driver.fetchKeys()).containsExactly("before");
        return driver;
    }

    private static void assertNothingIsMissed(TestOutbox outbox, ScanDriver driver, String position)
            throws SQLException {
        for (int i = 0; i < 5; i++) {
            outbox.insertCommitted("after");
        }
        passTheNumbersOfBefore(outbox.dataSource());

        Fetched fetched = driver.fetch();
        assertThat(fetched.newIncarnation()).isTrue();
        assertThat(fetched.rows()).isEmpty();
        assertThat(driver.fetchKeys()).containsExactly("before", "after", "after", "after", "after", "after");
        assertThat(driver.fetchAll()).isEmpty();

        ScanDriver successor = new ScanDriver(outbox.store());
        successor.add(0, Optional.of(position));
        assertThat(successor.fetchAll()).hasSize(6);
    }

    /** Then the numbers are higher than any seen before, and nothing but the token tells. */
    private static void passTheNumbersOfBefore(DataSource dataSource) throws SQLException {
        rollBackMany(dataSource);
        rollBackMany(dataSource);
    }

    /** Takes and drops transaction numbers, which writes nothing. */
    private static void rollBackMany(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
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

    private static void awaitEmpty(TestOutbox outbox) throws SQLException {
        while (!outbox.query("SELECT count(*) FROM {outbox}").equals("0")) {
            Thread.onSpinWait();
        }
    }

    /** Waits for fetches, and counts what only the sweep found. */
    private static final class FetchWatch implements RelayListener {

        private final Semaphore fetches = new Semaphore(0);
        private final AtomicInteger missed = new AtomicInteger();

        @Override
        public void fetched(long batch, int rows, Duration took) {
            fetches.release();
        }

        @Override
        public void sweepFoundMissed(int lane, int rows) {
            missed.addAndGet(rows);
        }

        void forget() {
            fetches.drainPermits();
        }

        /** Waits for fetches since the last look. */
        void awaitFetches(int count) throws InterruptedException {
            assertThat(fetches.tryAcquire(count, SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        int missed() {
            return missed.get();
        }
    }
}
