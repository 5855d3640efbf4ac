package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionKeeperBuilder;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.maintenance.PartitionReport;
import dev.postrider.maintenance.RunOutcome;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.AuditPartitions.Outcome;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.Change;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store must do whose audit trail has partitions.
 *
 * <p>A store's test is a subclass that opens an outbox whose partitioned audit trail has nothing but its tail, and says how
 * its database writes a few things.
 */
@Timeout(60)
public abstract class PartitionContract {

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final DateTimeFormatter DAY_LABEL =
            DateTimeFormatter.ofPattern("'p'yyyyMMdd").withZone(ZoneOffset.UTC);

    private StoreFixture fixture;
    private StoreDriver driver;

    protected PartitionContract() {}

    /** An outbox of this kind, with a partitioned audit trail. */
    protected abstract StoreFixture newFixture(StoreFixture.Setup setup);

    /** A further store of the same outbox, as another process would have it. */
    protected abstract OutboxStore anotherInstance();

    /** The quoted name of the table with this suffix, such as {@code "outbox_sent"} for {@code _sent}. */
    protected abstract String table(String suffix);

    /** One partition of the audit trail as it stands after FROM. */
    protected abstract String partition(String name);

    protected abstract String literal(Instant instant);

    protected abstract String literal(MessageId id);

    @BeforeEach
    final void openFixture() {
        fixture = newFixture(new StoreFixture.Setup(4, MessageLimits.defaults(), true));
        driver = new StoreDriver(fixture);
    }

    @AfterEach
    final void closeFixture() {
        fixture.close();
    }

    /** The fixture of the running test. */
    protected final StoreFixture fixture() {
        return fixture;
    }

    protected final AuditPartitions partitions() {
        return fixture.store().maintenance().partitions().orElseThrow();
    }

    protected final PartitionKeeperBuilder keeper() {
        return PartitionKeeper.builder(fixture.store(), PartitionPeriod.DAY)
                .lookahead(DAY)
                .lockTimeout(LOCK_TIMEOUT);
    }

    /** The start of the day so many days from now, by the database's clock. */
    protected final Instant day(int offset) {
        return partitions().read().databaseTime().truncatedTo(ChronoUnit.DAYS).plus(offset, ChronoUnit.DAYS);
    }

    /** The name of the partition of the day that begins then. */
    protected final String name(Instant day) {
        return partitions().read().namePrefix() + DAY_LABEL.format(day);
    }

    private Outcome createDay(int offset) {
        Instant day = day(offset);
        return partitions()
                .create(new Partition(name(day), day, day.plus(1, ChronoUnit.DAYS)), LOCK_TIMEOUT, 1_000_000);
    }

    private List<String> names() {
        return partitions().read().partitions().stream().map(Partition::name).toList();
    }

    private String tail() {
        return partitions().read().tail();
    }

    /** Enqueues a message for each key and records its delivery. */
    protected final void deliver(String... keys) {
        for (String key : keys) {
            driver.commit(StoreDriver.message(key));
        }
        driver.apply(
                driver.hotRows().stream().map(row -> new Change.Keep(row.ref())).toArray(Change[]::new));
    }

    /** Adds a message to the audit trail as if it had been delivered then. */
    protected final void addSent(Instant deliveredAt) {
        execute("INSERT INTO %s (lane, seq, id, topic, type, content_type, payload, created_at, delivered_at)"
                        .formatted(table("_sent"))
                + " VALUES (0, 1, %s, 't', 'x', 'text/plain', 'text', %2$s, %2$s)"
                        .formatted(literal(MessageIdGenerator.uuidV7().next()), literal(deliveredAt)));
    }

    protected final long rowsIn(String partition) {
        return count(partition(partition));
    }

    private long count(String source) {
        try (Connection connection = fixture.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + source)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    protected final void execute(String sql) {
        try (Connection connection = fixture.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute(sql);
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    /** A transaction that has read the whole audit trail and stays open; it locks no rows. */
    private Connection openReader() throws SQLException {
        Connection reader = fixture.dataSource().getConnection();
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        reader.setAutoCommit(false);
        try (Statement statement = reader.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table("_sent"))) {
            rows.next();
        }
        return reader;
    }

    @Test
    void createsPartitionsAheadOnce() {
        PartitionReport report = keeper().build().runOnce();

        assertThat(report.outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(report.created()).containsExactly(name(day(0)), name(day(1)));
        assertThat(names()).containsExactly(name(day(0)), name(day(1)));
        Partition tomorrow = partitions().read().partitions().get(1);
        assertThat(tomorrow.from()).isEqualTo(day(1));
        assertThat(tomorrow.upTo()).isEqualTo(day(2));
        assertThat(keeper().build().runOnce().created()).isEmpty();
    }

    @Test
    void createsHoursAndMonths() {
        PartitionReport hours = PartitionKeeper.builder(fixture.store(), PartitionPeriod.HOUR)
                .lookahead(Duration.ofHours(3))
                .build()
                .runOnce();
        assertThat(hours.created()).hasSize(4);

        PartitionReport months = PartitionKeeper.builder(fixture.store(), PartitionPeriod.MONTH)
                .lookahead(Duration.ofDays(62))
                .build()
                .runOnce();
        assertThat(months.created()).hasSizeGreaterThanOrEqualTo(2);
        List<Partition> all = partitions().read().partitions();
        assertThat(IntStream.range(1, all.size()))
                .allMatch(i -> all.get(i).from().equals(all.get(i - 1).upTo()));
        deliver("a");
        assertThat(rowsIn(tail())).isZero();
    }

    @Test
    void recordsADeliveryInThePartitionOfItsTime() {
        keeper().build().runOnce();

        deliver("a", "b");

        assertThat(rowsIn(name(day(0)))).isEqualTo(2);
        assertThat(rowsIn(tail())).isZero();
    }

    @Test
    void recordsADeliveryInTheTailWhenItsTimeHasNoPartition() {
        deliver("a");
        addSent(day(400));

        assertThat(rowsIn(tail())).isEqualTo(2);
        assertThat(fixture.kept()).hasSize(2);
    }

    @Test
    void movesRowsOfTheTailIntoTheirNewPartition() {
        deliver("a", "b");
        addSent(day(400));
        List<MessageId> before = fixture.kept();

        keeper().build().runOnce();

        assertThat(rowsIn(name(day(0)))).isEqualTo(2);
        assertThat(rowsIn(tail())).isEqualTo(1);
        assertThat(fixture.kept()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void leavesRowsInTheTailThatAreTooManyToMove() {
        deliver("a", "b");

        PartitionReport report = keeper().maxMovedRows(1).build().runOnce();

        assertThat(report.skipped()).contains(name(day(0)));
        assertThat(rowsIn(tail())).isEqualTo(2);
        deliver("c");
        assertThat(fixture.kept()).hasSize(3);
        assertThat(keeper().maxMovedRows(3).build().runOnce().created()).contains(name(day(0)));
        assertThat(fixture.kept()).hasSize(3);
    }

    @Test
    void dropsOldDaysKeepsPreviousAndPresentAndAddsTheNext() {
        IntStream.of(-3, -2, -1, 0).forEach(this::createDay);
        addSent(day(-3));
        addSent(day(-2));
        addSent(day(-1));
        deliver("a");

        PartitionReport report = keeper().retention(DAY).build().runOnce();

        assertThat(report.dropped()).containsExactly(name(day(-3)), name(day(-2)));
        assertThat(report.created()).containsExactly(name(day(1)));
        assertThat(names()).containsExactly(name(day(-1)), name(day(0)), name(day(1)));
        assertThat(fixture.kept()).hasSize(2);
        assertThat(rowsIn(tail())).isZero();
    }

    @Test
    void createsHoursAheadAndDropsThemAfterTheRetention() {
        createsAheadAndDropsAfterTheRetention(PartitionPeriod.HOUR, ChronoUnit.HOURS, Duration.ofHours(1));
    }

    @Test
    void createsDaysAheadAndDropsThemAfterTheRetention() {
        createsAheadAndDropsAfterTheRetention(PartitionPeriod.DAY, ChronoUnit.DAYS, DAY);
    }

    /** The shortest month: what ended one period ago surely ended that long ago. */
    @Test
    void createsMonthsAheadAndDropsThemAfterTheRetention() {
        createsAheadAndDropsAfterTheRetention(PartitionPeriod.MONTH, ChronoUnit.MONTHS, Duration.ofDays(28));
    }

    private void createsAheadAndDropsAfterTheRetention(PartitionPeriod period, ChronoUnit unit, Duration retention) {
        ZonedDateTime present = startOf(unit);
        List<String> old = IntStream.of(-4, -3, -2)
                .mapToObj(offset -> createPeriod(present.plus(offset, unit), unit))
                .toList();
        String stays = createPeriod(present, unit);
        deliver("a");

        PartitionReport report = PartitionKeeper.builder(fixture.store(), period)
                .lookahead(unit.getDuration().multipliedBy(2))
                .retention(retention)
                .lockTimeout(LOCK_TIMEOUT)
                .build()
                .runOnce();

        assertThat(report.dropped()).isEqualTo(old);
        assertThat(report.created()).isNotEmpty();
        assertThat(names().get(0)).isEqualTo(stays);
        List<Partition> ahead = partitions().read().partitions();
        assertThat(ahead.get(1).from()).isEqualTo(present.plus(1, unit).toInstant());
        assertThat(ahead.get(1).upTo()).isEqualTo(present.plus(2, unit).toInstant());
        assertThat(fixture.kept()).hasSize(1);
        assertThat(rowsIn(stays)).isEqualTo(1);
        assertThat(rowsIn(tail())).isZero();
    }

    private ZonedDateTime startOf(ChronoUnit unit) {
        ZonedDateTime now = partitions().read().databaseTime().atZone(ZoneOffset.UTC);
        return unit == ChronoUnit.MONTHS ? now.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1) : now.truncatedTo(unit);
    }

    /** Creates the partition of one period, with a row at its start. */
    private String createPeriod(ZonedDateTime start, ChronoUnit unit) {
        String name = partitions().read().namePrefix() + "of" + start.toEpochSecond();
        Partition partition =
                new Partition(name, start.toInstant(), start.plus(1, unit).toInstant());
        assertThat(partitions().create(partition, LOCK_TIMEOUT, 0)).isEqualTo(Outcome.DONE);
        if (start.plus(1, unit).toInstant().isBefore(partitions().read().databaseTime())) {
            addSent(start.toInstant());
        }
        return name;
    }

    @Test
    void keepsEverythingThatIsNotDeliveredHoweverOld() {
        createDay(-9);
        addSent(day(-9));
        OutboxMessage hot = StoreDriver.message("hot");
        OutboxMessage held = StoreDriver.message("held");
        OutboxMessage dead = StoreDriver.message("dead");
        OutboxMessage delayed =
                StoreDriver.builder("t").deliverAfter(Duration.ofHours(1)).build();
        driver.commit(hot, held, dead, delayed);
        driver.hold(held, Duration.ZERO);
        driver.bury(dead);
        for (String suffix : List.of("", "_held", "_dead", "_delayed")) {
            execute("UPDATE %s SET created_at = %s".formatted(table(suffix), literal(day(-9))));
        }

        assertThat(keeper().retention(DAY).build().runOnce().dropped()).containsExactly(name(day(-9)));

        assertThat(fixture.kept()).isEmpty();
        assertThat(driver.hotIds()).containsExactly(hot.id());
        assertThat(driver.dueIds()).containsExactly(held.id());
        assertThat(driver.deadIds()).containsExactly(dead.id());
        assertThat(fixture.store().stats().delayed()).isEqualTo(1);
    }

    @Test
    void dropsNothingByDefault() {
        createDay(-400);

        assertThat(keeper().build().runOnce().dropped()).isEmpty();
        assertThat(names()).contains(name(day(-400)));
    }

    @Test
    void deletesOldRowsThatLieInTheTailUpToTheLimit() {
        addSent(day(-9));
        addSent(day(-8));
        deliver("recent");

        assertThat(partitions().deleteFromTail(DAY, 1)).isEqualTo(1);
        assertThat(partitions().deleteFromTail(DAY, 10)).isEqualTo(1);
        assertThat(partitions().deleteFromTail(DAY, 10)).isZero();
        assertThat(rowsIn(tail())).isEqualTo(1);
    }

    @Test
    void leavesOldRowsOfOtherPartitionsToTheDrop() {
        createDay(-9);
        addSent(day(-9));

        assertThat(partitions().deleteFromTail(DAY, 10)).isZero();
        assertThat(fixture.kept()).hasSize(1);
    }

    @Test
    void cleansUpAcrossPartitionsUntilDone() {
        IntStream.of(-4, -3, -2).forEach(this::createDay);
        for (int i = 0; i < 3; i++) {
            addSent(day(-4));
            addSent(day(-3).plusSeconds(i));
            addSent(day(-2).plusSeconds(i));
        }
        deliver("recent");

        long deleted = Cleanup.builder(fixture.store(), DAY)
                .limit(2)
                .pause(Duration.ZERO)
                .build()
                .runOnce()
                .sent();

        assertThat(deleted).isEqualTo(9);
        assertThat(fixture.kept()).hasSize(1);
    }

    @Test
    void postponesADropWhileAReaderIsOpenAndDoesItLater() throws SQLException {
        createDay(-9);
        addSent(day(-9));
        keeper().build().runOnce();
        try (Connection reader = openReader()) {
            PartitionReport blocked = keeper().retention(DAY).build().runOnce();

            assertThat(blocked.dropped()).isEmpty();
            assertThat(blocked.postponed()).containsExactly(name(day(-9)));
            deliver("meanwhile");
            reader.rollback();
        }
        assertThat(keeper().retention(DAY).build().runOnce().dropped()).containsExactly(name(day(-9)));
        assertThat(fixture.kept()).hasSize(1);
    }

    @Test
    void postponesANewPartitionWhileAReaderIsOpenAndCreatesItLater() throws SQLException {
        try (Connection reader = openReader()) {
            PartitionReport blocked = keeper().build().runOnce();

            assertThat(blocked.created()).isEmpty();
            assertThat(blocked.postponed()).containsExactly(name(day(0)));
            deliver("meanwhile");
            reader.rollback();
        }
        assertThat(keeper().build().runOnce().created()).hasSize(2);
        assertThat(fixture.kept()).hasSize(1);
    }

    @Test
    void recordsDeliveriesWhilePartitionsAreCreatedAndDropped() throws Exception {
        IntStream.range(-9, -1).forEach(this::createDay);
        Map<Integer, List<OutboxRow>> lanes = commitMany(400);
        List<CompletableFuture<Void>> relays = lanes.values().stream()
                .map(rows -> CompletableFuture.runAsync(() -> rows.forEach(this::settle)))
                .toList();

        PartitionReport report =
                keeper().retention(DAY).lookahead(Duration.ofDays(20)).build().runOnce();

        for (CompletableFuture<Void> relay : relays) {
            relay.get(30, TimeUnit.SECONDS);
        }
        assertThat(report.created()).hasSize(21);
        assertThat(report.dropped()).hasSize(8);
        assertThat(fixture.kept()).hasSize(400);
        assertThat(driver.hotRows()).isEmpty();
        assertThat(rowsIn(tail())).isZero();
    }

    private Map<Integer, List<OutboxRow>> commitMany(int count) {
        driver.commit(IntStream.range(0, count)
                .mapToObj(i -> StoreDriver.message("key-" + i))
                .toArray(OutboxMessage[]::new));
        Map<Integer, List<OutboxRow>> lanes = driver.hotRows().stream().collect(Collectors.groupingBy(OutboxRow::lane));
        lanes.keySet().forEach(driver::lease);
        return lanes;
    }

    private void settle(OutboxRow row) {
        fixture.store()
                .settlements()
                .apply(driver.lease(row.ref()), Ordering.PER_KEY, List.of(new Change.Keep(row.ref())));
    }

    @Test
    void letsOneKeeperAtATimeWork() {
        fixture.store().maintenance().takeTask("partitions", "another", Duration.ofHours(1));

        assertThat(keeper().build().runOnce().outcome()).isEqualTo(RunOutcome.ELSEWHERE);
        assertThat(names()).isEmpty();
    }

    @Test
    void letsOneOfTwoInstancesWork() throws Exception {
        PartitionKeeper other = PartitionKeeper.builder(anotherInstance(), PartitionPeriod.DAY)
                .lookahead(DAY)
                .build();
        HangingListener hanging = new HangingListener();
        CompletableFuture<PartitionReport> first =
                CompletableFuture.supplyAsync(keeper().listener(hanging).build()::runOnce);
        hanging.awaitHanging();

        PartitionReport second = other.runOnce();
        hanging.goOn();

        assertThat(second.outcome()).isEqualTo(RunOutcome.ELSEWHERE);
        assertThat(second.created()).isEmpty();
        assertThat(first.get(30, TimeUnit.SECONDS).created()).containsExactly(name(day(0)), name(day(1)));
        assertThat(other.runOnce().outcome()).isEqualTo(RunOutcome.DONE);
    }

    @Test
    void goesOnBesideAnInstanceThatHungForLongerThanItsLease() throws Exception {
        Duration lease = fixture.shortTime();
        HangingListener hanging = new HangingListener();
        CompletableFuture<PartitionReport> first = CompletableFuture.supplyAsync(keeper().lease(lease)
                .lookahead(Duration.ofDays(4))
                .listener(hanging)
                .build()::runOnce);
        hanging.awaitHanging();
        fixture.letPass(lease);

        PartitionReport second = PartitionKeeper.builder(anotherInstance(), PartitionPeriod.DAY)
                .lookahead(Duration.ofDays(4))
                .build()
                .runOnce();
        hanging.goOn();

        assertThat(second.outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(second.created()).contains(name(day(1)), name(day(4)));
        // Its plan is out of date by now.
        first.get(30, TimeUnit.SECONDS);
        assertThat(names()).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void refusesANameThatAPartitionOfAnotherTimeHas() {
        Instant longAgo = day(-100);
        partitions().create(new Partition(name(day(0)), longAgo, longAgo.plusSeconds(3600)), LOCK_TIMEOUT, 0);

        assertThatThrownBy(() -> keeper().build().runOnce())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(name(day(0)));
    }

    @Test
    void dropsNothingThatHasChangedSinceItWasRead() {
        createDay(-9);
        Partition other = new Partition(name(day(-9)), day(-9), day(-7));

        partitions().drop(other, LOCK_TIMEOUT);

        assertThat(names()).containsExactly(name(day(-9)));
    }

    /** Stops a run after its first partition. */
    private static final class HangingListener implements MaintenanceListener {

        private final CountDownLatch hangs = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);

        void awaitHanging() throws InterruptedException {
            assertThat(hangs.await(30, TimeUnit.SECONDS)).isTrue();
        }

        void goOn() {
            goesOn.countDown();
        }

        @Override
        public void partitionCreated(Partition partition) {
            hangs.countDown();
            try {
                assertThat(goesOn.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
