package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.LaneScan;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many writers, two relays that share the lanes and hand them to each other: nothing lost, nothing out of order. */
class RandomWritersIT {

    private static final int LANES = 8;
    private static final int WRITERS = 8;
    private static final int NO_SUCH_THREAD = 1094;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void deliversEveryCommittedMessageOnceAndInOrder(TestServer server) throws Exception {
        Run run = run(server, store -> store.scan(System::nanoTime), 9, Trouble.LANES_CHANGE_HANDS);

        run.assertExact();
    }

    @NotOnTidb("KILL of a connection inside a transaction ends the whole server of TiDB 8.5 with a panic")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void deliversEveryCommittedMessageOnceAndInOrderWhileConnectionsAreKilled(TestServer server) throws Exception {
        Run run = run(server, store -> store.scan(System::nanoTime), 6, Trouble.CONNECTIONS_ARE_KILLED);

        run.assertExact();
    }

    /** Otherwise the test above proves nothing. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aPlainCursorLosesMessages(TestServer server) throws Exception {
        assertThat(run(server, TestStore::plainCursor, 4, Trouble.NONE).faults())
                .isNotEmpty();
    }

    private static Run run(TestServer server, Function<TestStore, LaneScan> scans, int seconds, Trouble trouble)
            throws Exception {
        long seed = Long.getLong("postrider.test.seed", System.nanoTime());
        System.err.println("Random writers: repeat with -Dpostrider.test.seed=" + seed);
        try (HikariDataSource dataSource = server.newDatabase("writers")) {
            TestStore store = TestStore.create(dataSource, LANES);
            BusinessWriters writers = BusinessWriters.create(server, dataSource, store.store());
            OpenWriter open = new OpenWriter(dataSource, store.store());
            Deliveries deliveries = new Deliveries();
            TestRelay even = new TestRelay(store.store(), scans.apply(store), deliveries, seed);
            TestRelay odd = new TestRelay(store.store(), scans.apply(store), deliveries, seed + 1);
            for (int lane = 0; lane < LANES; lane++) {
                (lane % 2 == 0 ? even : odd).give(lane);
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            List<Callable<Object>> tasks = new ArrayList<>();
            for (int n = 0; n < WRITERS; n++) {
                long writerSeed = seed + 10 + n;
                tasks.add(task(() -> writers.write(deadline, writerSeed)));
            }
            if (!trouble.losesConnections()) {
                // It knows by its own count only what it has committed.
                tasks.add(task(() -> open.write(deadline)));
            }
            long quiet = TimeUnit.SECONDS.toNanos(4);
            tasks.add(task(() -> even.run(deadline, quiet)));
            tasks.add(task(() -> odd.run(deadline, quiet)));
            Killer killer = new Killer(dataSource, seed);
            tasks.add(task(() -> {
                while (System.nanoTime() - deadline < 0) {
                    TimeUnit.MILLISECONDS.sleep(150);
                    trouble.make(even, odd, killer);
                }
            }));
            runAll(tasks);
            Map<String, Long> committed = new HashMap<>(writers.committed());
            open.keys().forEach(key -> committed.put(key, open.committed()));
            return new Run(
                    deliveries.faults(committed), deliveries.count(), store.number("SELECT COUNT(*) FROM outbox"));
        }
    }

    private static void handOver(TestRelay one, TestRelay other) throws InterruptedException {
        one.giveALaneTo(other);
        TimeUnit.MILLISECONDS.sleep(150);
        other.giveALaneTo(one);
    }

    private static void runAll(List<Callable<Object>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Object> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Object> task(Action action) {
        return () -> {
            action.run();
            return Boolean.TRUE;
        };
    }

    /** Something that runs on a thread of its own. */
    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    /** What happens now and then while writers and relays work. */
    private enum Trouble {
        NONE,
        LANES_CHANGE_HANDS,
        CONNECTIONS_ARE_KILLED;

        boolean losesConnections() {
            return this == CONNECTIONS_ARE_KILLED;
        }

        void make(TestRelay even, TestRelay odd, Killer killer) throws Exception {
            switch (this) {
                case LANES_CHANGE_HANDS -> handOver(even, odd);
                case CONNECTIONS_ARE_KILLED -> killer.killSome();
                case NONE -> {}
            }
        }
    }

    /** Kills connections of writers and relays in the middle of whatever they do. */
    private record Killer(HikariDataSource pool, Random random) {

        Killer(HikariDataSource pool, long seed) {
            this(pool, new Random(seed));
        }

        void killSome() throws SQLException {
            // Not one of the pool, which it may have killed before.
            try (Connection connection =
                            DriverManager.getConnection(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
                    Statement statement = connection.createStatement()) {
                List<Long> others = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery(
                        "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()")) {
                    while (rows.next()) {
                        others.add(rows.getLong(1));
                    }
                }
                for (long id : others) {
                    if (random.nextInt(4) == 0) {
                        killIfThere(statement, id);
                    }
                }
            }
        }

        private static void killIfThere(Statement statement, long id) throws SQLException {
            try {
                statement.execute("KILL " + id);
            } catch (SQLException failure) {
                if (failure.getErrorCode() != NO_SUCH_THREAD) {
                    throw failure;
                }
            }
        }
    }

    /** How a run ended: what was wrong, how much was delivered, how many rows were left. */
    private record Run(List<String> faults, int delivered, long left) {

        void assertExact() {
            assertThat(faults).isEmpty();
            // Enough to mean something, however slow the machine is.
            assertThat(delivered).isGreaterThan(100);
            assertThat(left).isZero();
        }
    }
}
