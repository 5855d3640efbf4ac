package dev.postrider.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CleanupTest {

    private static final Duration WEEK = Duration.ofDays(7);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock, true);
    private final Maintenance maintenance = store.maintenance();
    private final Lease lease =
            store.leases().take(0, "relay", Duration.ofDays(1000)).orElseThrow().lease();
    private long seq;

    private RowRef commit(OutboxMessage message) {
        InMemoryTransaction transaction = store.begin();
        transaction.enqueue(message);
        transaction.commit();
        return new RowRef(0, ++seq, message.id());
    }

    private RowRef commit() {
        return commit(OutboxMessage.builder("orders").type("placed").build());
    }

    private void apply(RowOutcome change) {
        store.forRelay(Ordering.PER_KEY).settle(lease, List.of(change));
    }

    private void deliver(int count) {
        for (int i = 0; i < count; i++) {
            apply(RowOutcome.hot(commit(), new RowOutcome.Delivered()));
        }
    }

    private void bury(int count) {
        for (int i = 0; i < count; i++) {
            apply(RowOutcome.hot(commit(), new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")));
        }
    }

    private CleanupBuilder builder() {
        return Cleanup.builder(store, WEEK).pause(Duration.ZERO);
    }

    @Test
    void deletesOldDeliveredMessagesAndKeepsRecentOnes() {
        deliver(3);
        clock.advance(WEEK);
        deliver(2);

        CleanupReport report = builder().build().runOnce();

        assertThat(report.outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(report.sent()).isEqualTo(3);
        assertThat(report.total()).isEqualTo(3);
        assertThat(store.kept()).hasSize(2);
    }

    @Test
    void leavesDeadLettersToOperatorsUnlessTold() {
        bury(2);
        clock.advance(WEEK);
        bury(1);

        assertThat(builder().build().runOnce().deadLetters()).isZero();
        assertThat(builder().includeDead(WEEK.multipliedBy(2)).build().runOnce().deadLetters())
                .isZero();
        assertThat(builder().includeDead().build().runOnce().deadLetters()).isEqualTo(2);
        assertThat(store.stats().dead()).isEqualTo(1);
    }

    @Test
    void forgetsDedupKeysAfterTheirOwnRetention() {
        commit(OutboxMessage.builder("t").type("x").dedupKey("once").build());
        clock.advance(Duration.ofDays(1));

        assertThat(builder().build().runOnce().dedupKeys()).isZero();
        assertThat(builder()
                        .dedupRetention(Duration.ofDays(1))
                        .build()
                        .runOnce()
                        .dedupKeys())
                .isEqualTo(1);
    }

    @Test
    void remembersDedupKeysForAWeekByDefault() {
        commit(OutboxMessage.builder("t").type("x").dedupKey("once").build());
        clock.advance(WEEK.minusNanos(1));
        Cleanup cleanup = Cleanup.builder(store, Duration.ofDays(30)).build();

        assertThat(cleanup.runOnce().dedupKeys()).isZero();
        clock.advance(Duration.ofNanos(1));
        assertThat(cleanup.runOnce().dedupKeys()).isEqualTo(1);
    }

    @Test
    void neverTouchesWhatIsUndeliveredHeldOrDelayed() {
        commit();
        apply(RowOutcome.hot(commit(), new RowOutcome.RetryLater("broker", 1, "failed", Duration.ZERO)));
        commit(OutboxMessage.builder("t")
                .type("x")
                .deliverAfter(WEEK.multipliedBy(9))
                .build());
        clock.advance(WEEK.multipliedBy(2));

        assertThat(builder().includeDead().build().runOnce().total()).isZero();
        assertThat(store.stats().undelivered()).isEqualTo(2);
        assertThat(store.stats().held()).isEqualTo(1);
        assertThat(store.stats().delayed()).isEqualTo(1);
    }

    @Test
    void deletesInBatchesOfTheLimitUntilNothingIsLeft() {
        deliver(7);
        bury(2);
        clock.advance(WEEK);
        List<String> batches = new ArrayList<>();

        CleanupReport report = builder()
                .limit(3)
                .includeDead()
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        batches.add(what + " " + rows + "/" + total);
                    }
                })
                .build()
                .runOnce();

        assertThat(report.sent()).isEqualTo(7);
        assertThat(batches)
                .containsExactly(
                        "dead letters 2/2",
                        "delivered messages 3/3",
                        "delivered messages 3/6",
                        "delivered messages 1/7");
    }

    @Test
    void leavesTheWorkToARunnerThatIsAtIt() {
        deliver(1);
        clock.advance(WEEK);
        maintenance.takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1));

        assertThat(builder().build().runOnce().outcome()).isEqualTo(RunOutcome.ELSEWHERE);
        assertThat(store.kept()).hasSize(1);
    }

    @Test
    void takesOverFromARunnerThatDied() {
        deliver(1);
        clock.advance(WEEK);
        maintenance.takeTask(Cleanup.TASK, "crashed", Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(1));

        assertThat(builder().build().runOnce().sent()).isEqualTo(1);
    }

    @Test
    void givesTheTaskBackAtItsEnd() {
        builder().build().runOnce();

        assertThat(maintenance.takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1)))
                .isTrue();
    }

    @Test
    void letsOneOfTwoRunsInOneProcessWork() throws Exception {
        deliver(2);
        clock.advance(WEEK);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Cleanup first = builder()
                .limit(1)
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        inTheMiddle.countDown();
                        await(goOn);
                    }
                })
                .build();
        first.start();
        await(inTheMiddle);

        assertThat(first.runOnce().outcome()).isEqualTo(RunOutcome.ELSEWHERE);
        assertThat(builder().build().runOnce().outcome()).isEqualTo(RunOutcome.ELSEWHERE);
        assertThat(store.kept()).hasSize(1);
        goOn.countDown();
        first.close();
    }

    @Test
    void stopsWhenItsLeaseIsLost() {
        deliver(5);
        clock.advance(WEEK);
        Duration lease = Duration.ofMillis(100);
        Cleanup cleanup = builder()
                .limit(1)
                .lease(lease)
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        // It was away for so long that somebody else began.
                        clock.advance(lease);
                        maintenance.takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1));
                        spendRealTime(lease);
                    }
                })
                .build();

        CleanupReport report = cleanup.runOnce();

        assertThat(report.outcome()).isEqualTo(RunOutcome.STOPPED);
        assertThat(report.sent()).isEqualTo(1);
        assertThat(maintenance.takeTask(Cleanup.TASK, "third", Duration.ofMinutes(1)))
                .isFalse();
    }

    @Test
    void prolongsItsLeaseWhileItWorks() {
        deliver(3);
        clock.advance(WEEK);
        Duration lease = Duration.ofMillis(300);
        AtomicBoolean stolen = new AtomicBoolean();
        Cleanup cleanup = builder()
                .limit(1)
                .lease(lease)
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        clock.advance(lease.dividedBy(2));
                        spendRealTime(lease.dividedBy(2));
                        stolen.compareAndSet(
                                false, maintenance.takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1)));
                    }
                })
                .build();

        assertThat(cleanup.runOnce().outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(stolen).isFalse();
    }

    @Test
    void runsTheOtherPartsWhenOneFails() {
        deliver(1);
        bury(1);
        clock.advance(WEEK);
        store.injectFaults(operation -> operation.equals("maintenance.deleteDeadLetters") ? Fault.BEFORE : Fault.NONE);

        assertThatThrownBy(() -> builder().includeDead().build().runOnce())
                .hasMessageContaining("maintenance.deleteDeadLetters");
        assertThat(store.kept()).isEmpty();
        assertThat(maintenance.takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1)))
                .isTrue();
    }

    @Test
    void survivesAFailedRelease() {
        store.injectFaults(operation -> operation.equals("maintenance.releaseTask") ? Fault.BEFORE : Fault.NONE);

        assertThat(builder().build().runOnce().outcome()).isEqualTo(RunOutcome.DONE);
        clock.advance(Duration.ofMinutes(1));
        assertThat(builder().build().runOnce().outcome()).isEqualTo(RunOutcome.DONE);
    }

    @Test
    void runsAtOnceAndAgainAndSurvivesFailures() {
        CountDownLatch failed = new CountDownLatch(2);
        CountDownLatch ended = new CountDownLatch(2);
        AtomicBoolean broken = new AtomicBoolean(true);
        store.injectFaults(
                operation -> operation.equals("maintenance.takeTask") && broken.get() ? Fault.BEFORE : Fault.NONE);
        try (Cleanup cleanup = builder()
                .checkEvery(Duration.ofMillis(10))
                .listener(new MaintenanceListener() {
                    @Override
                    public void failed(String task, RuntimeException failure) {
                        failed.countDown();
                        throw new IllegalStateException("a listener must not stop the cleanup");
                    }

                    @Override
                    public void cleanupEnded(CleanupReport report) {
                        ended.countDown();
                    }
                })
                .build()) {
            cleanup.start();
            await(failed);
            broken.set(false);
            await(ended);
        }
    }

    @Test
    void endsAfterTheBatchAtHandWhenClosed() {
        deliver(5);
        clock.advance(WEEK);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        Cleanup cleanup = builder()
                .limit(1)
                .pause(Duration.ofMinutes(1))
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        inTheMiddle.countDown();
                    }
                })
                .build();
        cleanup.start();
        await(inTheMiddle);

        cleanup.close();

        assertThat(store.kept()).hasSize(4);
        assertThat(maintenance.takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1)))
                .isTrue();
        cleanup.close();
        assertThatIllegalStateException().isThrownBy(cleanup::start);
    }

    @Test
    void stopsWhenTheCallingThreadIsInterruptedAndKeepsTheFlag() {
        deliver(2);
        clock.advance(WEEK);
        Thread.currentThread().interrupt();

        CleanupReport report = builder().build().runOnce();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(report.outcome()).isEqualTo(RunOutcome.STOPPED);
    }

    @Test
    void refusesBadOptions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cleanup.builder(store, Duration.ZERO))
                .withMessageContaining("retention is 0 ms");
        assertThatIllegalArgumentException().isThrownBy(() -> Cleanup.builder(store, WEEK.negated()));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().limit(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().limit(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().includeDead(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().dedupRetention(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().checkEvery(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().pause(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().lease(Duration.ZERO));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** The runner measures by the monotonic clock when it must prolong. */
    private static void spendRealTime(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }
}
