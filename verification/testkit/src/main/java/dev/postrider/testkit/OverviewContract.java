package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an operator sees and sets: pauses, statistics, names; and the wake signal. */
interface OverviewContract extends ContractPart {

    @Test
    default void pausesAndResumesDestinationsByName() {
        Pauses pauses = driver().store().pauses();
        assertThat(pauses.paused()).isEmpty();

        pauses.pause("kafka-main", "ann");
        pauses.pause("kafka-main", "bob");
        pauses.pause("rabbit 'x' 😀", "ann");
        assertThat(pauses.paused()).containsExactlyInAnyOrder("kafka-main", "rabbit 'x' 😀");

        pauses.resume("kafka-main", "bob");
        pauses.resume("kafka-main", "bob");
        pauses.resume("unknown", "bob");
        assertThat(pauses.paused()).containsExactly("rabbit 'x' 😀");
        assertThat(driver().fixture().operations())
                .extracting(OperationRecord::operator, OperationRecord::action, OperationRecord::details)
                .contains(tuple("ann", "pause", "kafka-main"), tuple("bob", "resume", "kafka-main"))
                .hasSize(3);
    }

    @Test
    default void shortensTheNameOfAnOperator() {
        driver().store().pauses().pause("kafka-main", "ann" + "n".repeat(1_000));

        assertThat(driver().store().pauses().paused()).containsExactly("kafka-main");
        assertThat(driver().fixture().operations().get(0).operator()).startsWith("annn");
    }

    @Test
    default void reportsAnEmptyOutbox() {
        assertThat(driver().store().stats()).isEqualTo(new OutboxStats(0, true, 0, 0, 0, RowCount.NONE, Duration.ZERO));
    }

    @Test
    default void countsWhatIsWhere() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        driver().commit(StoreDriver.builder("t")
                .deliverAfter(Duration.ofHours(1))
                .build());
        driver().hold(messages.get(0), Duration.ZERO);
        driver().bury(messages.get(1));
        driver().fixture().letPass(Duration.ofMillis(5));

        OutboxStats stats = driver().store().stats();

        assertThat(stats.undelivered()).as("the held one included").isEqualTo(3);
        assertThat(stats.undeliveredIsExact()).isTrue();
        assertThat(stats.held()).isEqualTo(1);
        assertThat(stats.dead()).isEqualTo(1);
        assertThat(stats.delayed()).isEqualTo(1);
        assertThat(stats.kept()).isEqualTo(RowCount.NONE);
        assertThat(stats.oldestAge()).isBetween(Duration.ofMillis(5), Duration.ofHours(1));
    }

    @Test
    default void countsTheAgeOfHeldMessages() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        driver().hold(message, Duration.ofHours(1));
        driver().fixture().letPass(Duration.ofMillis(5));

        assertThat(driver().store().stats().oldestAge()).isGreaterThanOrEqualTo(Duration.ofMillis(5));
    }

    @Test
    default void listsTheMessagesThatHoldBackTheirKeys() {
        List<OutboxMessage> ofA = driver().commitOfKey("a", 2);
        OutboxMessage ofB = driver().commitOfKey("b", 1).get(0);
        RowRef failing = driver().hold(ofA.get(0), Duration.ofHours(1));
        driver().holdBehind(ofA.get(1));
        RowRef blocked = driver().ref(ofB);
        driver().apply(RowOutcome.hot(blocked, new RowOutcome.Blocked(StoreDriver.BROKER, 5, "blocked")));

        List<HeldHead> heads = driver().store().heldReport(10).heads();

        assertThat(heads).extracting(HeldHead::ref).containsExactlyInAnyOrder(failing, blocked);
        assertThat(heads).allSatisfy(head -> {
            boolean isBlocked = head.ref().equals(blocked);
            assertThat(head.key()).contains(isBlocked ? "b" : "a");
            assertThat(head.topic()).isEqualTo(ofB.topic());
            assertThat(head.type()).isEqualTo(ofB.type());
            assertThat(head.attempts()).isEqualTo(isBlocked ? 5 : 1);
            assertThat(head.error()).isNotBlank();
            assertThat(head.firstFailedAt()).isPresent();
            if (isBlocked) {
                assertThat(head.nextAttemptIn()).isEmpty();
            } else {
                assertThat(head.nextAttemptIn().orElseThrow()).isBetween(Duration.ofMinutes(1), Duration.ofHours(1));
            }
        });
        assertThat(driver().store().heldReport(1).heads()).hasSize(1);
    }

    @Test
    default void hasANameLanesAndLimits() {
        assertThat(driver().store().name()).isNotBlank();
        assertThat(driver().store().laneCount()).isEqualTo(4);
        assertThat(driver().store().limits()).isNotNull();
        assertThat(driver().store().keepsDelivered()).isFalse();
    }

    @Test
    default void hasOneWakeSignal() {
        AtomicInteger woken = new AtomicInteger();

        try (var registration = driver().store().wakeSignal().listen(woken::incrementAndGet)) {
            driver().store().wakeSignal().fire();
            assertThat(registration).isNotNull();
        }
        driver().store().wakeSignal().fire();

        assertThat(woken).hasValue(1);
    }
}
