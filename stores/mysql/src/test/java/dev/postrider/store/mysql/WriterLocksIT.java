package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
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
    private static final int TURNS = 6;

    @NotOnTidb("it counts InnoDB's waits; TiDB locks no gaps")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void writersNeverWaitForTheRelay(TestServer server) throws Exception {
        try (HikariDataSource dataSource = server.newDatabase("locks")) {
            TestStore store = TestStore.create(dataSource, LANES);
            long waitsBefore = lockWaits(store);
            List<Double> ratios = run(store);

            assertThat(lockWaits(store) - waitsBefore).isZero();
            assertThat(Collections.max(ratios)).as("of %s", ratios).isGreaterThan(0.5);
        }
    }

    private static long lockWaits(TestStore store) throws Exception {
        return store.number("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'");
    }

    private static List<Double> run(TestStore store) throws Exception {
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
            List<Double> ratios = measure(isRelaying, written);
            isOver.set(true);
            for (Future<?> task : tasks) {
                task.get();
            }
            open.rollback();
            return ratios;
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
    }

    /** Measures in turns, and the best one counts: other load on the machine does not hit all of them, and a lock would. */
    private static List<Double> measure(AtomicBoolean isRelaying, LongAdder written) throws InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            double alone = writtenWhile(false, isRelaying, written);
            ratios.add(writtenWhile(true, isRelaying, written) / alone);
        }
        return ratios;
    }

    private static double writtenWhile(boolean relays, AtomicBoolean isRelaying, LongAdder written)
            throws InterruptedException {
        isRelaying.set(relays);
        written.reset();
        TimeUnit.MILLISECONDS.sleep(250);
        return written.sum();
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
}
