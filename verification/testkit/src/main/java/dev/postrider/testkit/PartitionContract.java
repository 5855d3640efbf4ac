package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.maintenance.PartitionReport;
import dev.postrider.maintenance.RunOutcome;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store must do whose audit trail has partitions: {@link PartitionCreation}, {@link PartitionRetention}, and here the
 * same beside readers, relays and other instances.
 *
 * <p>A store's test is a subclass that opens an outbox whose partitioned audit trail has nothing but its tail, and says how
 * its database writes a few things.
 */
@Timeout(60)
public abstract class PartitionContract extends PartitionRetention {

    protected PartitionContract() {}

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
                .forRelay(Ordering.PER_KEY)
                .settle(driver.lease(row.ref()), List.of(RowOutcome.hot(row.ref(), new RowOutcome.Delivered())));
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
