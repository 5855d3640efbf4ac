package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many writers of every kind against the scan: nothing may be lost, and no key may be out of order. */
class ExactScanUnderLoadIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();
    private static final int LANES = 8;
    private static final int WRITERS = 8;
    private static final Duration TIME = Duration.ofSeconds(4);

    private final TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(LANES));
    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<String, Integer> lastCount = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private int swept;

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void losesNothingAndKeepsTheOrderOfEveryKey(int isolation) throws Exception {
        run(isolation, this::perhapsHandOver, outbox.store().forRelay(Ordering.PER_KEY)::openScan);

        assertThat(faults).isEmpty();
        assertThat(swept).isZero();
        assertThat(outbox.query("SELECT count(*) FROM {outbox}")).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void noticesAScanThatIsNotExact(int isolation) throws Exception {
        run(isolation, UnaryOperator.identity(), () -> new PlainCursorScan(outbox));

        assertThat(faults).isNotEmpty();
    }

    /** Measures in turns, and the best one counts: other load on the machine does not hit all of them, and a lock would. */
    @Test
    void writersAreNotSlowedByTheScan() throws Exception {
        WriterLoad load = new WriterLoad(outbox, Connection.TRANSACTION_REPEATABLE_READ);
        ScanDriver driver = driver(outbox.store().forRelay(Ordering.PER_KEY).openScan(), Map.of());
        List<Double> ratios = new ArrayList<>();
        try (Connection open = load.openWriterInEveryLane()) {
            load.start(4);
            for (int turn = 0; turn < 6; turn++) {
                load.takeCommits();
                readFor(Duration.ofMillis(250), null);
                double alone = load.takeCommits();
                readFor(Duration.ofMillis(250), driver);
                ratios.add(load.takeCommits() / alone);
            }
            load.stop();
            open.rollback();
        }

        assertThat(Collections.max(ratios)).as("of %s", ratios).isGreaterThan(0.5);
    }

    private void readFor(Duration time, ScanDriver driver) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            if (driver != null) {
                deliver(driver);
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private void run(int isolation, UnaryOperator<ScanDriver> between, Supplier<LaneScan> scans) throws Exception {
        WriterLoad load = new WriterLoad(outbox, isolation);
        load.prepareWriterInEveryLane(outbox.table());
        ScanDriver driver = driver(scans.get(), Map.of());
        try (Connection open = load.openWriterInEveryLane()) {
            load.start(WRITERS);
            long end = System.nanoTime() + TIME.toNanos();
            while (System.nanoTime() < end) {
                deliver(driver.limitedTo(1 + random.nextInt(200), 1 + random.nextInt(2000)));
                driver = between.apply(driver);
            }
            load.stop();
            deliver(driver.limitedTo(100, 1000));
            open.commit();
        }
        outbox.execute("COMMIT PREPARED '{outbox}'");
        drain(driver.limitedTo(100, 1000));
        findLost(load);
    }

    private ScanDriver driver(LaneScan scan, Map<Integer, String> positions) {
        ScanDriver driver = new ScanDriver(outbox.store(), scan);
        for (int lane = 0; lane < LANES; lane++) {
            driver.add(lane, Optional.ofNullable(positions.get(lane)));
        }
        return driver;
    }

    /** Now and then another relay takes over from the saved positions, or a lane is read again. */
    private ScanDriver perhapsHandOver(ScanDriver driver) {
        if (random.nextInt(50) == 0) {
            driver.scan().restart(random.nextInt(LANES));
        }
        if (random.nextInt(100) != 0) {
            return driver;
        }
        Map<Integer, String> positions = new HashMap<>();
        for (int lane = 0; lane < LANES; lane++) {
            swept += driver.scan().sweep(lane, Set.of(), Duration.ofMillis(500), 10).length;
            int number = lane;
            driver.position(lane).ifPresent(position -> positions.put(number, position));
        }
        return driver(outbox.store().forRelay(Ordering.PER_KEY).openScan(), positions);
    }

    private void drain(ScanDriver driver) {
        while (deliver(driver)) {}
        driver.settle();
    }

    /** Sends and settles what one fetch returned; true when there was anything. */
    private boolean deliver(ScanDriver driver) {
        var fetched = driver.fetch();
        for (OutboxRow row : fetched.rows()) {
            check((OutboxRow.Hot) row);
        }
        if (random.nextInt(3) > 0) {
            driver.settle();
        }
        return fetched.more() || !fetched.rows().isEmpty();
    }

    private void check(OutboxRow.Hot row) {
        String key = row.key().orElseThrow();
        int count = WriterLoad.count(row.message());
        int last = lastCount.getOrDefault(key, 0);
        // One that came before comes again after a hand-over, if it was not settled.
        if (count > last + 1) {
            faults.add(key + ": " + count + " came after " + last);
        }
        lastCount.put(key, Math.max(last, count));
    }

    private void findLost(WriterLoad load) {
        load.committed().forEach((key, count) -> {
            if (!count.equals(lastCount.get(key))) {
                faults.add(key + ": " + count + " were committed, " + lastCount.get(key) + " came");
            }
        });
        for (String prefix : List.of("open", "prepared")) {
            for (int i = 0; i < 40; i++) {
                if (!lastCount.containsKey(prefix + i)) {
                    faults.add(prefix + i + " never came");
                }
            }
        }
    }
}
