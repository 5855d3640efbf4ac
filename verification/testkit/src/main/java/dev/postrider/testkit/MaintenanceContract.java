package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.CleanupBuilder;
import dev.postrider.maintenance.CleanupReport;
import dev.postrider.maintenance.Expired;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.maintenance.RunOutcome;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.RowOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Maintenance: old rows go, batch by batch, nothing else does, and one runner at a time works. */
interface MaintenanceContract extends ContractPart {

    /** Of what {@link #letGrowOld()} leaves behind, everything is older. */
    Duration YOUNG = Duration.ofMillis(5);

    Duration HOUR = Duration.ofHours(1);

    private Maintenance maintenance(StoreDriver driver) {
        return driver.store().maintenance();
    }

    private void letGrowOld() {
        driver().fixture().letPass(YOUNG.multipliedBy(2));
    }

    private static void deliver(StoreDriver driver, String... keys) {
        driver.commit(Stream.of(keys).map(StoreDriver::message).toArray(OutboxMessage[]::new));
        driver.apply(driver.hotRows().stream()
                .map(row -> RowOutcome.hot(row.ref(), new RowOutcome.Delivered()))
                .toArray(RowOutcome[]::new));
    }

    private static OutboxMessage withDedupKey(String dedupKey) {
        return StoreDriver.builder("t").dedupKey(dedupKey).build();
    }

    @Test
    default void deletesOldDeliveredMessagesUpToTheLimit() {
        StoreDriver driver = driverWithAuditTrail();
        deliver(driver, "a", "b", "c", "d", "e");
        letGrowOld();

        assertThat(maintenance(driver).deleteSent(YOUNG, 2)).isEqualTo(2);
        assertThat(driver.fixture().kept()).hasSize(3);
        assertThat(maintenance(driver).deleteSent(YOUNG, 100)).isEqualTo(3);
        assertThat(maintenance(driver).deleteSent(YOUNG, 100)).isZero();
        assertThat(driver.fixture().kept()).isEmpty();
    }

    @Test
    default void leavesYoungDeliveredMessages() {
        StoreDriver driver = driverWithAuditTrail();
        deliver(driver, "a", "b");
        letGrowOld();

        assertThat(maintenance(driver).deleteSent(HOUR, 100)).isZero();
        assertThat(driver.fixture().kept()).hasSize(2);
    }

    @Test
    default void hasNothingToDeleteWithoutAnAuditTrail() {
        assertThat(maintenance(driver()).deleteSent(YOUNG, 100)).isZero();
    }

    @Test
    default void neverDeletesWhatIsNotDelivered() {
        StoreDriver driver = driverWithAuditTrail();
        List<OutboxMessage> ofKey = driver.commitOfKey("a", 3);
        OutboxMessage delayed =
                StoreDriver.builder("t").deliverAfter(Duration.ofHours(2)).build();
        driver.commit(delayed);
        driver.hold(ofKey.get(0), Duration.ZERO);
        driver.holdBehind(ofKey.get(1));
        letGrowOld();

        maintenance(driver).deleteSent(YOUNG, 100);
        maintenance(driver).deleteDeadLetters(YOUNG, 100);
        maintenance(driver).deleteDedupKeys(YOUNG, 100);

        assertThat(driver.hotIds()).containsExactly(ofKey.get(2).id());
        assertThat(driver.dueIdsWithFollowers())
                .containsExactly(ofKey.get(0).id(), ofKey.get(1).id());
        assertThat(driver.store().stats().delayed()).isEqualTo(1);
    }

    @Test
    default void deletesOldDeadLettersUpToTheLimitAndRecordsIt() {
        for (int i = 0; i < 3; i++) {
            driver().bury(driver().commitOfKey("a", 1).get(0));
        }
        letGrowOld();

        assertThat(maintenance(driver()).deleteDeadLetters(HOUR, 100)).isZero();
        assertThat(maintenance(driver()).deleteDeadLetters(YOUNG, 2)).isEqualTo(2);
        assertThat(maintenance(driver()).deleteDeadLetters(YOUNG, 2)).isEqualTo(1);
        assertThat(maintenance(driver()).deleteDeadLetters(YOUNG, 2)).isZero();
        assertThat(driver().deadIds()).isEmpty();
        assertThat(driver().fixture().operations())
                .allMatch(record ->
                        record.operator().equals("cleanup") && record.action().equals("expire"))
                .extracting(StoreFixture.OperationRecord::affected)
                .containsExactlyInAnyOrder(2, 1);
    }

    @Test
    default void leavesADeadLetterWhoseRetryIsRequested() {
        OutboxMessage wanted = driver().commitOfKey("a", 1).get(0);
        driver().bury(wanted);
        driver().store().deadLetters().requestRetry(DeadLetterFilter.all(), 1, "ann");
        driver().bury(driver().commitOfKey("b", 1).get(0));
        letGrowOld();

        assertThat(maintenance(driver()).deleteDeadLetters(YOUNG, 100)).isEqualTo(1);
        assertThat(driver().deadIds()).containsExactly(wanted.id());
    }

    @Test
    default void forgetsOldDedupKeysUpToTheLimit() {
        driver().commit(withDedupKey("one"), withDedupKey("two"), withDedupKey("three"));
        letGrowOld();

        assertThat(maintenance(driver()).deleteDedupKeys(HOUR, 100)).isZero();
        assertThat(driver().commit(withDedupKey("one"))).isEmpty();
        assertThat(maintenance(driver()).deleteDedupKeys(YOUNG, 2)).isEqualTo(2);
        assertThat(maintenance(driver()).deleteDedupKeys(YOUNG, 2)).isEqualTo(1);
        assertThat(maintenance(driver()).deleteDedupKeys(YOUNG, 2)).isZero();
        assertThat(driver().commit(withDedupKey("one"))).hasSize(1);
    }

    @Test
    default void forgetsOldRecordsOfOperationsUpToTheLimit() {
        for (int i = 0; i < 3; i++) {
            driver().bury(driver().commitOfKey("x", 1).get(0));
            driver().store().deadLetters().discard(DeadLetterFilter.all(), 100, "ann-" + i);
        }
        letGrowOld();

        assertThat(maintenance(driver()).deleteOperations(HOUR, 100)).isZero();
        assertThat(maintenance(driver()).deleteOperations(YOUNG, 2)).isEqualTo(2);
        assertThat(maintenance(driver()).deleteOperations(YOUNG, 2)).isEqualTo(1);
        assertThat(driver().fixture().operations()).isEmpty();
    }

    @Test
    default void cleansUpInBoundedBatchesUntilNothingOldIsLeft() {
        StoreDriver driver = driverWithAuditTrail();
        deliver(driver, "a", "b", "c", "d", "e");
        for (int i = 0; i < 3; i++) {
            driver.bury(driver.commitOfKey("x", 1).get(0));
        }
        driver.commit(withDedupKey("one"), withDedupKey("two"), withDedupKey("three"));
        letGrowOld();
        List<Integer> batches = new ArrayList<>();

        CleanupReport report = Cleanup.builder(driver.store(), YOUNG)
                .includeDead()
                .dedupRetention(YOUNG)
                .limit(2)
                .pause(Duration.ZERO)
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        batches.add(rows);
                    }
                })
                .build()
                .runOnce();

        assertThat(report.outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(List.of(report.sent(), report.deadLetters(), report.dedupKeys()))
                .containsExactly(5L, 3L, 3L);
        assertThat(batches).containsExactlyInAnyOrder(2, 2, 1, 2, 1, 2, 1);
        assertThat(driver.fixture().kept()).isEmpty();
        assertThat(driver.deadIds()).isEmpty();
        assertThat(driver.hotRows()).hasSize(3);
    }

    @Test
    default void leavesTheCleanupToTheOneThatIsAtIt() {
        StoreDriver driver = driverWithAuditTrail();
        deliver(driver, "a", "b", "c");
        letGrowOld();
        CleanupBuilder each = Cleanup.builder(driver.store(), YOUNG).limit(1).pause(Duration.ZERO);
        List<RunOutcome> others = new ArrayList<>();

        CleanupReport report = Cleanup.builder(driver.store(), YOUNG)
                .limit(1)
                .pause(Duration.ZERO)
                .listener(new MaintenanceListener() {
                    @Override
                    public void deleted(Expired what, int rows, long total) {
                        others.add(each.build().runOnce().outcome());
                    }
                })
                .build()
                .runOnce();

        assertThat(report.sent()).isEqualTo(3);
        assertThat(others).hasSize(3).containsOnly(RunOutcome.ELSEWHERE);
        assertThat(each.build().runOnce().outcome()).isEqualTo(RunOutcome.DONE);
    }

    @Test
    default void givesATaskToOneRunnerUntilItIsReleased() {
        Maintenance maintenance = maintenance(driver());

        assertThat(maintenance.takeTask("cleanup", "a", HOUR)).isTrue();
        assertThat(maintenance.takeTask("cleanup", "b", HOUR)).isFalse();
        assertThat(maintenance.takeTask("cleanup", "a", HOUR)).isTrue();
        assertThat(maintenance.takeTask("partitions", "b", HOUR)).isTrue();

        maintenance.releaseTask("cleanup", "b");
        assertThat(maintenance.takeTask("cleanup", "b", HOUR)).isFalse();
        maintenance.releaseTask("cleanup", "a");
        assertThat(maintenance.takeTask("cleanup", "b", HOUR)).isTrue();
    }

    @Test
    default void freesTheTaskOfARunnerThatDied() {
        Maintenance maintenance = maintenance(driver());
        Duration shortTime = driver().fixture().shortTime();
        maintenance.takeTask("cleanup", "dead", shortTime);

        driver().fixture().letPass(shortTime);

        assertThat(maintenance.takeTask("cleanup", "alive", HOUR)).isTrue();
        assertThat(maintenance.takeTask("cleanup", "dead", HOUR)).isFalse();
        maintenance.releaseTask("cleanup", "dead");
        assertThat(maintenance.takeTask("cleanup", "third", HOUR)).isFalse();
    }
}
