package dev.postrider.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PartitionKeeperTest {

    private static final Duration DAY = Duration.ofDays(1);

    /** Starts at 2026-01-01T00:00:00Z. */
    private final TestClock clock = new TestClock();

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock, true);
    private final AuditPartitions partitions = store.maintenance().partitions().orElseThrow();
    private final Lease lease =
            store.leases().take(0, "relay", Duration.ofDays(1000)).orElseThrow().lease();
    private long seq;

    private RowRef commit() {
        OutboxMessage message = OutboxMessage.builder("orders").type("placed").build();
        InMemoryTransaction transaction = store.begin();
        transaction.enqueue(message);
        transaction.commit();
        return new RowRef(0, ++seq, message.id());
    }

    private void deliver() {
        store.forRelay(Ordering.PER_KEY).settle(lease, List.of(RowOutcome.hot(commit(), new RowOutcome.Delivered())));
    }

    private PartitionKeeperBuilder builder() {
        return PartitionKeeper.builder(store, PartitionPeriod.DAY).lookahead(DAY.multipliedBy(2));
    }

    private List<String> names() {
        return partitions.read().partitions().stream().map(Partition::name).toList();
    }

    @Test
    void createsPartitionsAheadOnce() {
        PartitionKeeper keeper = builder().build();

        assertThat(keeper.runOnce().created()).containsExactly("p20260101", "p20260102");
        assertThat(keeper.runOnce().created()).isEmpty();
        clock.advance(DAY);
        assertThat(keeper.runOnce().created()).containsExactly("p20260103");
        assertThat(names()).containsExactly("p20260101", "p20260102", "p20260103");
    }

    @Test
    void dropsOldDaysWithTheirRowsAndNothingUndelivered() {
        PartitionKeeper keeper = builder().retention(DAY).build();
        keeper.runOnce();
        deliver();
        RowRef undelivered = commit();
        clock.advance(DAY);
        keeper.runOnce();
        deliver();
        clock.advance(DAY);
        deliver();

        PartitionReport report = keeper.runOnce();

        assertThat(report.dropped()).containsExactly("p20260101");
        assertThat(report.outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(names()).containsExactly("p20260102", "p20260103", "p20260104");
        assertThat(store.kept()).hasSize(2);
        assertThat(store.stats().undelivered()).isEqualTo(1);
        store.forRelay(Ordering.PER_KEY)
                .settle(lease, List.of(RowOutcome.hot(undelivered, new RowOutcome.Delivered())));
        assertThat(store.kept()).hasSize(3);
    }

    @Test
    void dropsNothingByDefault() {
        builder().build().runOnce();
        clock.advance(Duration.ofDays(1000));

        assertThat(builder().build().runOnce().dropped()).isEmpty();
        assertThat(names()).contains("p20260101");
    }

    @Test
    void deletesFromTheTailWhatOutlivedTheRetention() {
        deliver();
        clock.advance(DAY.multipliedBy(3));
        deliver();

        PartitionReport report = builder().retention(DAY).build().runOnce();

        assertThat(report.deletedFromTail()).isEqualTo(1);
        assertThat(store.kept()).hasSize(1);
    }

    @Test
    void leavesTheTailAloneWithoutRetention() {
        deliver();
        clock.advance(Duration.ofDays(1000));

        assertThat(builder().build().runOnce().deletedFromTail()).isZero();
        assertThat(store.kept()).hasSize(1);
    }

    @Test
    void skipsAPartitionWhoseRowsAreTooManyToMoveAndCreatesTheOthers() {
        deliver();
        deliver();

        PartitionReport report = builder().maxMovedRows(1).build().runOnce();

        assertThat(report.skipped()).containsExactly("p20260101");
        assertThat(report.created()).containsExactly("p20260102");
        assertThat(builder().maxMovedRows(2).build().runOnce().created()).containsExactly("p20260101");
    }

    @Test
    void leavesTheWorkToARunnerThatIsAtIt() {
        store.maintenance().takeTask(PartitionKeeper.TASK, "another", Duration.ofMinutes(1));

        assertThat(builder().build().runOnce().outcome()).isEqualTo(RunOutcome.ELSEWHERE);
        assertThat(names()).isEmpty();
        clock.advance(Duration.ofMinutes(1));
        assertThat(builder().build().runOnce().created()).contains("p20260101");
    }

    @Test
    void checksThePartitionsBeforeItStarts() {
        store.injectFaults(operation -> operation.equals("partitions.read") ? Fault.BEFORE : Fault.NONE);
        PartitionKeeper keeper = builder().build();

        assertThatThrownBy(keeper::start).hasMessageContaining("partitions.read");

        store.injectFaults(operation -> Fault.NONE);
        keeper.start();
        keeper.close();
    }

    @Test
    void createsWhatIsMissingAgainAndAgainOnceItIsStarted() throws InterruptedException {
        CountDownLatch thirdDay = new CountDownLatch(3);
        try (PartitionKeeper keeper = builder()
                .checkEvery(Duration.ofMillis(10))
                .listener(new MaintenanceListener() {
                    @Override
                    public void partitionCreated(Partition partition) {
                        thirdDay.countDown();
                        clock.advance(Duration.ofHours(12));
                    }
                })
                .build()) {
            keeper.start();
            assertThat(thirdDay.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(names()).contains("p20260101", "p20260102", "p20260103");
    }

    @Test
    void looksAheadAsFarAsThePeriodDemands() {
        assertThat(PartitionKeeper.builder(store, PartitionPeriod.HOUR)
                        .build()
                        .runOnce()
                        .created())
                .hasSize(48);
        clock.advance(Duration.ofDays(2));
        assertThat(PartitionKeeper.builder(store, PartitionPeriod.DAY)
                        .build()
                        .runOnce()
                        .created())
                .hasSize(30);
        clock.advance(Duration.ofDays(30));
        assertThat(PartitionKeeper.builder(store, PartitionPeriod.MONTH)
                        .build()
                        .runOnce()
                        .created())
                .containsExactly("p20260202000000", "p202603", "p202604", "p202605");
    }

    @Test
    void refusesBadOptions() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder().retention(DAY.negated()));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().lookahead(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().lookahead(Duration.ofDays(1001)));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().lockTimeout(Duration.ofMillis(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().maxMovedRows(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().checkEvery(Duration.ZERO));
    }
}
