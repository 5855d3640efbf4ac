package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writers in REPEATABLE READ, one of them with an uncommitted row in every lane, beside a relay that reads and deletes. */
class WriterLocksIT {

    private static final int LANES = 4;
    private static final int WRITERS = 4;
    private static final int SLICES = 6;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void writersNeverWaitForTheRelay(TestServer server) throws Exception {
        try (HikariDataSource dataSource = server.newDatabase("locks")) {
            TestStore store = TestStore.create(dataSource, LANES);
            long waitsBefore = lockWaits(store);
            Slices slices = run(store);

            assertThat(lockWaits(store) - waitsBefore).isZero();
            assertThat(slices.besideRelay()).isGreaterThan(slices.alone() / 5);
        }
    }

    private static long lockWaits(TestStore store) throws Exception {
        return store.number("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'");
    }

    private static Slices run(TestStore store) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicBoolean isRelaying = new AtomicBoolean();
        LongAdder written = new LongAdder();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
        try (Connection open = store.dataSource().getConnection()) {
            open.setAutoCommit(false);
            open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            store.store().insert(open, new OpenWriter(store.dataSource(), store.store()).messages());
            List<Future<?>> tasks = new ArrayList<>();
            for (int n = 0; n < WRITERS; n++) {
                tasks.add(threads.submit(() -> write(store, isOver, written)));
            }
            tasks.add(threads.submit(() -> relay(store, isOver, isRelaying)));
            Slices slices = measure(isRelaying, written);
            isOver.set(true);
            for (Future<?> task : tasks) {
                task.get();
            }
            open.rollback();
            return slices;
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
    }

    /** In turns, so that other load on the machine hits both alike. */
    private static Slices measure(AtomicBoolean isRelaying, LongAdder written) throws InterruptedException {
        long[] sums = new long[2];
        for (int slice = 0; slice < SLICES; slice++) {
            isRelaying.set(slice % 2 == 1);
            written.reset();
            TimeUnit.MILLISECONDS.sleep(500);
            sums[slice % 2] += written.sum();
        }
        return new Slices(sums[0], sums[1]);
    }

    private static Void write(TestStore store, AtomicBoolean isOver, LongAdder written) throws Exception {
        try (Connection connection = store.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            while (!isOver.get()) {
                store.store()
                        .insert(
                                connection,
                                List.of(
                                        OutboxMessage.builder("t").type("t").build(),
                                        OutboxMessage.builder("t").type("t").build()));
                connection.commit();
                written.increment();
            }
        }
        return null;
    }

    private static Void relay(TestStore store, AtomicBoolean isOver, AtomicBoolean isRelaying) throws Exception {
        ScanSession scan = new ScanSession(store, Set.of(0, 1, 2, 3));
        while (!isOver.get()) {
            if (isRelaying.get()) {
                // Time flies, so that every fetch also probes.
                scan.passTime();
                scan.deliver();
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return null;
    }

    /** Transactions without and with a relay at work. */
    private record Slices(long alone, long besideRelay) {}
}
