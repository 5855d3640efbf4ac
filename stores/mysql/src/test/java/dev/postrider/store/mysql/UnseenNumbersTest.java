package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UnseenNumbersTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final UnseenNumbers unseen = new UnseenNumbers();

    @Test
    void areThoseBelowTheHighestThatNobodyHasShown() {
        saw(1, 4, 5, 9);

        assertThat(unseen.upTo(100)).extracting(NumberRange::from).containsExactly(2L, 6L);
        assertThat(unseen.upTo(7)).last().isEqualTo(new NumberRange(6, 7, 0));
        assertThat(unseen.highest()).isEqualTo(9);
    }

    @Test
    void areSplitByANumberThatIsSeenLate() {
        saw(10, 5, 1, 9);

        assertThat(unseen.upTo(100)).containsExactly(new NumberRange(2, 4, 0), new NumberRange(6, 8, 0));
    }

    @Test
    void beginAboveASavedPosition() {
        unseen.startAfter(100);
        saw(103);

        assertThat(unseen.lowest()).isEqualTo(101);
    }

    @Test
    void areForgottenInsideTheBoundsOnlyAndUnlessVisible() {
        unseen.saw(10, 0);
        unseen.saw(20, 5 * SECOND);

        unseen.bury(SECOND, 2, 8, List.of(4L));

        assertThat(unseen.upTo(100))
                .containsExactly(
                        new NumberRange(1, 2, 0),
                        new NumberRange(4, 4, 0),
                        new NumberRange(9, 9, 0),
                        new NumberRange(11, 19, 5 * SECOND));
    }

    @Test
    void theFirstThatWasPassedAfterAMomentHoldsTheHorizonBack() {
        unseen.saw(10, 0);
        unseen.saw(20, 5 * SECOND);

        assertThat(unseen.firstAbove(3, -SECOND)).isEqualTo(4);
        assertThat(unseen.firstAbove(3, SECOND)).isEqualTo(11);
        assertThat(unseen.firstAbove(3, 6 * SECOND)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void stayFewAndCoverAllThatIsUnseen() {
        Random random = new Random(7);
        TreeSet<Long> seen = new TreeSet<>();
        LongStream.rangeClosed(1, 20_000).filter(seq -> random.nextInt(3) > 0).forEach(seen::add);
        seen.forEach(seq -> unseen.saw(seq, 0));

        List<NumberRange> ranges = unseen.upTo(Long.MAX_VALUE);

        assertThat(ranges).hasSizeBetween(UnseenNumbers.MOST_RANGES / 2, UnseenNumbers.MOST_RANGES);
        assertThat(LongStream.range(1, seen.last()).filter(seq -> !seen.contains(seq)))
                .allMatch(seq -> ranges.stream().anyMatch(range -> range.contains(seq)));
    }

    @Test
    void areGivenUpByAgeOnlyWhenTheyAreManyAndTwoWaitsAreOver() {
        unseen.lockWaitTimeout(Duration.ofSeconds(50));
        unseen.saw(2, 0);
        unseen.saw(3, 1000 * SECOND);
        assertThat(unseen.lowest()).isEqualTo(1);

        for (long seq = 5; seq <= 5 + 2L * UnseenNumbers.MOST_RANGES; seq += 2) {
            unseen.saw(seq, 1000 * SECOND);
        }
        assertThat(unseen.lowest()).isEqualTo(4);
    }

    private void saw(long... seqs) {
        for (long seq : seqs) {
            unseen.saw(seq, 0);
        }
    }
}
