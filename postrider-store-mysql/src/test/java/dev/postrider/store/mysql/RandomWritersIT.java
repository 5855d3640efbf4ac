package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.LaneScan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void deliversEveryCommittedMessageOnceAndInOrder(TestServer server) throws Exception {
        Run run = run(server, store -> store.scan(System::nanoTime), 9, true);

        assertThat(run.faults()).isEmpty();
        // Enough to mean something, however slow the machine is.
        assertThat(run.delivered()).isGreaterThan(100);
        assertThat(run.left()).isZero();
    }

    /** Otherwise the test above proves nothing. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aPlainCursorLosesMessages(TestServer server) throws Exception {
        assertThat(run(server, TestStore::plainCursor, 4, false).faults()).isNotEmpty();
    }

    private static Run run(TestServer server, Function<TestStore, LaneScan> scans, int seconds, boolean handsOver)
            throws Exception {
        long seed = Long.getLong("postrider.test.seed", System.nanoTime());
        System.err.println("Random writers: repeat with -Dpostrider.test.seed=" + seed);
        try (HikariDataSource dataSource = server.newDatabase("writers")) {
            TestStore store = TestStore.create(dataSource, LANES);
            BusinessWriters writers = new BusinessWriters(dataSource, store.store());
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
            tasks.add(task(() -> open.write(deadline)));
            long quiet = TimeUnit.SECONDS.toNanos(4);
            tasks.add(task(() -> even.run(deadline, quiet)));
            tasks.add(task(() -> odd.run(deadline, quiet)));
            if (handsOver) {
                tasks.add(task(() -> handOver(even, odd, deadline)));
            }
            runAll(tasks);
            Map<String, Long> committed = new HashMap<>(writers.committed());
            open.keys().forEach(key -> committed.put(key, open.committed()));
            return new Run(
                    deliveries.faults(committed), deliveries.count(), store.number("SELECT COUNT(*) FROM outbox"));
        }
    }

    private static void handOver(TestRelay one, TestRelay other, long deadline) throws InterruptedException {
        while (System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(150);
            one.giveALaneTo(other);
            TimeUnit.MILLISECONDS.sleep(150);
            other.giveALaneTo(one);
        }
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

    /** How a run ended: what was wrong, how much was delivered, how many rows were left. */
    private record Run(List<String> faults, int delivered, long left) {}
}
