package dev.postrider.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeliveryCheckTest {

    private static final long MILLISECOND = 1_000_000;

    /** Two keys in turn: 0 and 2 are a#1 and a#2, 1 and 3 are b#1 and b#2. Event n is committed at n ms. */
    private final List<CommittedEvent> committed = IntStream.range(0, 4)
            .mapToObj(n -> new CommittedEvent(id(n), n % 2 == 0 ? "a" : "b", n / 2 + 1, n * MILLISECOND))
            .toList();

    @Test
    void findsNothingWrongWhenEverythingArrivesInOrder() {
        DeliveryCount count = count(0, 1, 2, 3);

        assertThat(new DemoResult(List.of(), count.numbers(), true).lastLine())
                .isEqualTo(
                        "demo: committed=4 delivered=4 dead=0 lost=0 duplicates=0 out_of_order=0 p50_ms=101 p99_ms=103");
        assertThat(count.isGood()).isTrue();
    }

    @Test
    void allowsAnyOrderBetweenKeys() {
        assertThat(count(1, 3, 0, 2).isGood()).isTrue();
    }

    @Test
    void countsAnEventThatNeverArrivesAsLost() {
        DeliveryCount count = count(0, 1, 3);

        assertThat(count.lostEvents()).containsExactly(committed.get(2));
        assertThat(count.delivered()).isEqualTo(3);
        assertThat(count.isGood()).isFalse();
    }

    @Test
    void countsAnEventThatArrivesTwiceAsDuplicateAndDeliveredOnce() {
        DeliveryCount count = count(0, 1, 2, 0, 3, 0);

        assertThat(count.duplicates()).isEqualTo(2);
        assertThat(count.delivered()).isEqualTo(4);
        assertThat(count.outOfOrder()).as("a late duplicate breaks no order").isZero();
        assertThat(count.isGood()).isTrue();
    }

    @Test
    void countsAnEventThatArrivesAfterALaterOneOfItsKeyAsOutOfOrder() {
        DeliveryCount count = count(2, 1, 0, 3);

        assertThat(count.outOfOrder()).isEqualTo(1);
        assertThat(count.lost()).isZero();
        assertThat(count.isGood()).isFalse();
    }

    @Test
    void countsAnEventThatWasNeverCommittedSeparately() {
        DeliveryCount count = count(0, 1, 2, 3, 99);

        assertThat(count.neverCommitted()).isEqualTo(1);
        assertThat(count.delivered()).isEqualTo(4);
        assertThat(count.isGood()).isFalse();
    }

    @Test
    void countsADeadLetterAsDeadInsteadOfLost() {
        DeliveryCount count = DeliveryCheck.count(committed, arrivals(1, 2, 3), Set.of(id(0)));

        assertThat(count.dead()).isEqualTo(1);
        assertThat(count.lost()).isZero();
        assertThat(count.isGood()).isTrue();
    }

    @Test
    void countsADeadLetterThatArrivedAfterAllAsDelivered() {
        DeliveryCount count = DeliveryCheck.count(committed, arrivals(0, 1, 2, 3), Set.of(id(0)));

        assertThat(count.dead()).isZero();
        assertThat(count.delivered()).isEqualTo(4);
    }

    @Test
    void findsOnePlantedFaultOfEachKindAmongManyEvents() {
        List<CommittedEvent> many = IntStream.range(0, 10_000)
                .mapToObj(n -> new CommittedEvent(id(n), "key-" + n % 100, n / 100, 0))
                .toList();
        List<Arrival> arrivals =
                new ArrayList<>(arrivals(IntStream.range(0, 10_000).toArray()));
        arrivals.remove(5_000);
        arrivals.add(7_000, arrivals.get(100));
        Collections.swap(arrivals, 2_000, 2_100);

        DeliveryCount count = DeliveryCheck.count(many, arrivals, Set.of());

        assertThat(count.lost()).isEqualTo(1);
        assertThat(count.duplicates()).isEqualTo(1);
        assertThat(count.outOfOrder()).isEqualTo(1);
    }

    @Test
    void takesAnArrivalBeforeTheWriterNotedItsCommitAsNoDelay() {
        DeliveryCount count = DeliveryCheck.count(
                List.of(new CommittedEvent(id(0), "a", 1, 5 * MILLISECOND)),
                List.of(new Arrival(id(0), 4 * MILLISECOND)),
                Set.of());

        assertThat(count.delays().highest()).isEqualTo(Duration.ZERO);
    }

    private DeliveryCount count(int... numbers) {
        return DeliveryCheck.count(committed, arrivals(numbers), Set.of());
    }

    /** The n-th arrival comes 100 + 2n ms after the start. */
    private static List<Arrival> arrivals(int... numbers) {
        return IntStream.range(0, numbers.length)
                .mapToObj(n -> new Arrival(id(numbers[n]), (100 + 2 * n) * MILLISECOND))
                .toList();
    }

    private static MessageId id(long number) {
        return new MessageId(1, number);
    }
}
