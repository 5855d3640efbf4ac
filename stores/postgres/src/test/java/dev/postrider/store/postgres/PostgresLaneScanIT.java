package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the scan returns and in which order, one interleaving at a time. */
class PostgresLaneScanIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();

    private final TestOutbox outbox =
            TestOutbox.create(POOL, builder -> builder.lanes(4).limits(new MessageLimits(1000, 1000)));
    private final ScanDriver driver = ScanDriver.ofAllLanes(outbox.store());

    @Test
    void returnsALateCommitBeforeTheNextRowOfItsKey() throws Exception {
        outbox.execute("CREATE TABLE {outbox}_business (k text PRIMARY KEY, v int)");
        outbox.execute("INSERT INTO {outbox}_business VALUES ('k', 0)");
        String lockRow = "UPDATE " + outbox.table() + "_business SET v = v + 1 WHERE k = 'k'";
        driver.fetchAll();
        try (Connection a = outbox.begin();
                Connection b = outbox.begin()) {
            execute(a, lockRow);
            outbox.insert(a, "k"); // 8
            outbox.insertCommitted("x"); // 9
            outbox.insertCommitted("y"); // 10
            assertThat(driver.fetchKeys()).containsExactlyInAnyOrder("x", "y");
            driver.settle();
            Thread writer = new Thread(() -> lockAndInsert(b, lockRow)); // 12
            writer.start();
            outbox.awaitWaiters(1);
            a.commit();
            writer.join();
        }

        List<OutboxRow> rows = driver.fetchAll();

        assertThat(ScanDriver.keys(rows)).containsExactly("k", "k");
        assertThat(rows.get(0).seq()).isLessThan(rows.get(1).seq());
    }

    private void lockAndInsert(Connection connection, String lockRow) {
        try {
            execute(connection, lockRow);
            outbox.insert(connection, "k");
            connection.commit();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void doesNotWaitForAnOpenTransaction() throws SQLException {
        try (Connection open = outbox.begin()) {
            outbox.insert(open, "a", "b", "c", "d", "e");
            outbox.insertCommitted("a", "b", "c", "d", "e");
            assertThat(driver.fetchKeys()).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
            outbox.insertCommitted("a", "b", "c", "d", "e");
            assertThat(driver.fetchKeys()).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
            open.rollback();
        }
        assertThat(driver.fetchKeys()).isEmpty();
    }

    @Test
    void returnsEachRowOfATransactionOnceHoweverLateItCommits() throws SQLException {
        try (Connection late = outbox.begin()) {
            outbox.insert(late, "late");
            for (int i = 0; i < 5; i++) {
                outbox.insertCommitted("x" + i);
                driver.fetchAll();
                driver.settle();
            }
            late.commit();
        }
        assertThat(driver.fetchKeys()).containsExactly("late");
        assertThat(driver.fetchKeys()).isEmpty();
    }

    @Test
    void returnsRowsWhoseTransactionNumberWasTakenLongBefore() throws SQLException {
        try (Connection late = outbox.begin()) {
            TestOutbox.query(late, "SELECT pg_current_xact_id()");
            outbox.insertCommitted("x");
            assertThat(driver.fetchKeys()).containsExactly("x");
            outbox.insert(late, "late");
            late.commit();
        }
        assertThat(driver.fetchKeys()).containsExactly("late");
    }

    @Test
    void returnsNothingOfARolledBackSavepoint() throws SQLException {
        try (Connection connection = outbox.begin()) {
            outbox.insert(connection, "before");
            Savepoint savepoint = connection.setSavepoint();
            outbox.insert(connection, "undone");
            connection.rollback(savepoint);
            connection.setSavepoint();
            outbox.insert(connection, "after");
            assertThat(driver.fetchKeys()).isEmpty();
            connection.commit();
        }
        assertThat(driver.fetchKeys()).containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void returnsRowsOfAPreparedTransactionWhenItIsCommitted() throws SQLException {
        String name = outbox.table() + "_prepared";
        try (Connection connection = outbox.begin()) {
            outbox.insert(connection, "prepared");
            execute(connection, "PREPARE TRANSACTION '" + name + "'");
        }
        outbox.insertCommitted("x");
        assertThat(driver.fetchKeys()).containsExactly("x");
        outbox.execute("COMMIT PREPARED '" + name + "'");
        assertThat(driver.fetchKeys()).containsExactly("prepared");
    }

    @Test
    void ordersBySeqAndNotByTransactionNumber() throws SQLException {
        driver.fetchAll();
        try (Connection lowNumberHighSeq = outbox.begin()) {
            TestOutbox.query(lowNumberHighSeq, "SELECT pg_current_xact_id()");
            outbox.insertCommitted("k");
            outbox.insert(lowNumberHighSeq, "k");
            lowNumberHighSeq.commit();
        }
        assertThat(driver.fetchAll()).extracting(OutboxRow::seq).isSorted().hasSize(2);
    }

    @Test
    void keepsOrderWhenCommitsLandBetweenThePagesOfAHeadRead() throws SQLException {
        TestOutbox one = TestOutbox.create(POOL, builder -> builder.lanes(1));
        ScanDriver reader = ScanDriver.ofAllLanes(one.store()).limitedTo(2, 1 << 20);
        assertOrderWhenCommitsLandBetweenPages(one, reader);
    }

    @Test
    void keepsOrderWhenCommitsLandBetweenThePagesOfAWindow() throws SQLException {
        TestOutbox one = TestOutbox.create(POOL, builder -> builder.lanes(1));
        ScanDriver reader = ScanDriver.ofAllLanes(one.store()).limitedTo(2, 1 << 20);
        reader.fetchAll();
        assertOrderWhenCommitsLandBetweenPages(one, reader);
    }

    /** Both rows of k commit behind the reader: the second one must not come in a later page of the same read. */
    private static void assertOrderWhenCommitsLandBetweenPages(TestOutbox one, ScanDriver reader) throws SQLException {
        try (Connection late = one.begin()) {
            one.insert(late, "k");
            for (int i = 0; i < 5; i++) {
                one.insertCommitted("x");
            }
            assertThat(reader.fetch().more()).isTrue();
            late.commit();
            one.insertCommitted("k");
        }
        reader.fetchAll();
        assertThat(reader.received()).hasSize(7);
        assertThat(reader.received())
                .filteredOn(row -> row.key().equals(Optional.of("k")))
                .extracting(OutboxRow::seq)
                .hasSize(2)
                .isSorted();
    }

    @Test
    void returnsAllLanesOfADifferenceThatIsTooLarge() throws SQLException {
        driver.fetchAll();
        String[] keys = IntStream.range(0, 300).mapToObj(i -> "key-" + i).toArray(String[]::new);
        outbox.insertCommitted(keys);
        driver.limitedTo(7, 1 << 20);

        assertThat(driver.fetchKeys()).containsExactlyInAnyOrder(keys);
    }

    @Test
    void losesNothingThatIsCutOffByBytes() throws SQLException {
        driver.limitedTo(100, 250);
        insertSized(100, 100, 100, 100, 100, 100, 100);
        assertThat(bytes(driver.fetch())).isBetween(1, 250);
        assertThat(driver.fetchAll()).hasSizeGreaterThan(1);
        assertThat(driver.received()).hasSize(7);
        // The same by difference.
        insertSized(100, 100, 100, 100, 100, 100, 100);
        assertThat(bytes(driver.fetch())).isBetween(1, 250);
        driver.fetchAll();
        assertThat(driver.received()).hasSize(14);
    }

    @Test
    void returnsASingleRowThatIsLargerThanTheBytesAskedFor() throws SQLException {
        driver.limitedTo(100, 10);
        insertSized(500);
        assertThat(driver.fetch().rows()).hasSize(1);
        insertSized(500);
        assertThat(driver.fetch().rows()).hasSize(1);
    }

    @Test
    void readsALaneAloneWhoseNextRowIsTooLargeForItsShare() throws SQLException {
        int[] sizes = IntStream.range(0, 60).map(i -> i == 0 ? 200 : 90).toArray();
        insertSized(sizes);
        driver.limitedTo(100, 400);

        driver.fetch();
        driver.fetch();

        assertThat(driver.received()).hasSizeLessThan(sizes.length / 2);
        assertThat(driver.received()).anySatisfy(row -> assertThat(payload(row)).hasSize(200));
    }

    @Test
    void leavesAnOversizedPayloadInTheServer() throws SQLException {
        outbox.execute("""
                INSERT INTO {outbox} (id, topic, message_key, type, payload)
                VALUES (gen_random_uuid(), 't', 'big', 'T', decode(repeat('ab', 1001), 'hex'))""");
        driver.limitedTo(10, 100);

        OutboxRow row = driver.fetchAll().get(0);

        assertThat(row).isInstanceOf(OutboxRow.Unreadable.class);
        assertThat(((OutboxRow.Unreadable) row).reason()).contains("1001").contains("1000");
        assertThat(row.key()).contains("big");
    }

    @Test
    void reportsHeadersThatAreNotStringsAsUnreadable() throws SQLException {
        outbox.execute("""
                INSERT INTO {outbox} (id, topic, type, headers, payload)
                VALUES (gen_random_uuid(), 't', 'T', '{"a": 1}', '')""");

        assertThat(driver.fetchAll())
                .hasOnlyElementsOfType(OutboxRow.Unreadable.class)
                .hasSize(1);
    }

    @Test
    void tellsWhetherTheKeyOfARowIsHeld() throws SQLException {
        outbox.execute("""
                INSERT INTO {outbox}_held (lane, seq, id, topic, message_key, type, content_type, payload, created_at, attempts, blocked)
                VALUES ({outbox}_lane_of('held', NULL), -1, gen_random_uuid(), 't', 'held', 'T', 'c', '', now(), 1, false)""");
        outbox.insertCommitted("held", "free");

        assertThat(driver.fetchAll())
                .extracting(row -> row.key().orElseThrow() + " " + ((OutboxRow.Hot) row).keyState())
                .containsExactlyInAnyOrder("held HELD", "free FREE");
    }

    @Test
    void readsBackWhatWasWritten() throws SQLException {
        OutboxMessage message = OutboxMessage.builder("orders")
                .key("schlüssel \\ \uD83D\uDE00")
                .type("T")
                .header("a", "ü\n\"")
                .contentType("text/plain")
                .payload(new byte[] {0, -1, 5})
                .build();
        try (Connection connection = outbox.begin()) {
            outbox.store().insert(connection, List.of(message));
            connection.commit();
        }

        OutboxMessage read = ((OutboxRow.Hot) driver.fetchAll().get(0)).message();

        assertThat(read).usingRecursiveComparison().isEqualTo(message);
    }

    @Test
    void returnsPassedOverTopicsAfterARestartOnly() throws SQLException {
        insertTopic("paused");
        driver.excluding("paused");
        insertTopic("open");
        assertThat(driver.fetchAll()).hasSize(1);
        insertTopic("paused");
        insertTopic("open");
        assertThat(driver.fetchAll()).hasSize(1);
        driver.excluding();
        assertThat(driver.fetchAll()).isEmpty();
        IntStream.range(0, 4).forEach(driver.scan()::restart);
        assertThat(driver.fetchAll()).hasSize(2);
    }

    @Test
    void savesNoPositionThatWouldSkipPassedOverRows() throws SQLException {
        insertTopic("paused");
        driver.excluding("paused").fetchAll();
        assertThat(IntStream.range(0, 4).mapToObj(driver::position)).allMatch(Optional::isEmpty);
        driver.excluding();
        IntStream.range(0, 4).forEach(driver.scan()::restart);
        driver.fetchAll();
        assertThat(IntStream.range(0, 4).mapToObj(driver::position)).allMatch(Optional::isPresent);
    }

    @Test
    void readsALaneAnewWithoutTheRowsStillKnown() throws SQLException {
        outbox.insertCommitted("a", "b", "c");
        driver.fetchAll();
        IntStream.range(0, 4).forEach(driver.scan()::restart);
        outbox.insertCommitted("d");
        assertThat(driver.fetchKeys()).containsExactly("d");
        driver.forget();
        IntStream.range(0, 4).forEach(driver.scan()::restart);
        assertThat(driver.fetchKeys()).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void returnsRowsThatWereCopiedFromAnotherServerWithHigherTransactionNumbers() throws SQLException {
        outbox.execute("""
                INSERT INTO {outbox} (tx, id, topic, message_key, type, payload)
                SELECT '900000000000', gen_random_uuid(), 't', 'copied', 'T', '' FROM generate_series(1, 5)""");
        outbox.insertCommitted("copied");
        driver.limitedTo(2, 1000);
        assertThat(driver.fetchAll()).hasSize(6).extracting(OutboxRow::seq).isSorted();
        driver.settle();
        outbox.insertCommitted("copied");
        assertThat(driver.fetchAll()).hasSize(1);
    }

    @Test
    void leavesLanesThatAreNotAskedForWhereTheyAre() throws SQLException {
        outbox.insertCommitted("a", "b", "c", "d", "e", "f", "g", "h");
        ScanDriver some = new ScanDriver(outbox.store());
        some.add(1, Optional.empty());
        List<OutboxRow> rows = some.fetchAll();
        assertThat(rows).isNotEmpty().allMatch(row -> row.lane() == 1);
        some.scan().remove(1);
        outbox.insertCommitted("a", "b", "c", "d", "e", "f", "g", "h");
        assertThat(some.fetchAll()).isEmpty();
    }

    private void insertSized(int... sizes) throws SQLException {
        try (Connection connection = outbox.begin()) {
            for (int size : sizes) {
                outbox.store()
                        .insert(
                                connection,
                                List.of(OutboxMessage.builder("t")
                                        .type("T")
                                        .payload(new byte[size])
                                        .build()));
            }
            connection.commit();
        }
    }

    private void insertTopic(String topic) throws SQLException {
        try (Connection connection = outbox.begin()) {
            outbox.store()
                    .insert(
                            connection,
                            List.of(OutboxMessage.builder(topic).type("T").build()));
            connection.commit();
        }
    }

    private static int bytes(Fetched fetched) {
        return fetched.rows().stream().mapToInt(row -> payload(row).length).sum();
    }

    private static byte[] payload(OutboxRow row) {
        return ((OutboxRow.Hot) row).message().payload();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
