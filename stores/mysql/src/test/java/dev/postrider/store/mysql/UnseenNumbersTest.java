package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThat(unseen.givenUpBefore(1000 * SECOND)).isEmpty();

        for (long seq = 4; seq <= 4 + 2L * UnseenNumbers.MOST_RANGES; seq += 2) {
            unseen.saw(seq, 1000 * SECOND);
        }
        assertThat(unseen.givenUpBefore(1000 * SECOND)).hasValue(890 * SECOND);
        assertThat(unseen.lowest()).as("still to be looked up").isEqualTo(1);
    }

    /** Every third number is rolled back, and waits never end: numbers become old and are passed, and none is given up too early. */
    @ParameterizedTest
    @CsvSource({"300, 50", "3000, 50", "300, 600"})
    void becomeOldHoweverManyThereAre(int gapsEachSecond, int lockWaitSeconds) {
        Duration timeout = Duration.ofSeconds(lockWaitSeconds);
        long givenUpAfter = timeout.multipliedBy(2).plusSeconds(10).toNanos();
        unseen.lockWaitTimeout(timeout);
        long seq = 0;
        long moments = 3L * givenUpAfter / SECOND * gapsEachSecond;
        for (long moment = 1; moment <= moments; moment++) {
            long nanos = moment * SECOND / gapsEachSecond;
            unseen.saw(seq + 1, nanos);
            unseen.saw(seq + 3, nanos);
            seq += 3;
            if (moment % gapsEachSecond == 0) {
                long end = seq;
                unseen.givenUpBefore(nanos).ifPresent(before -> unseen.bury(before, 0, end, List.of()));
                assertThat(unseen.upTo(end)).hasSizeLessThanOrEqualTo(UnseenNumbers.MOST_RANGES);
                long passed = seq - 3L * gapsEachSecond * 7;
                assertThat(unseen.firstAbove(0, nanos - 5 * SECOND)).isGreaterThan(passed);
                long oldest = seq - 3L * gapsEachSecond * (givenUpAfter / SECOND);
                assertThat(unseen.lowest()).isLessThanOrEqualTo(Math.max(2, oldest));
                assertThat(unseen.lowest())
                        .isGreaterThanOrEqualTo(Math.min(2, seq))
                        .isGreaterThan(seq - 3L * gapsEachSecond * (givenUpAfter / SECOND * 17 / 16 + 3));
            }
        }
    }

    private void saw(long... seqs) {
        for (long seq : seqs) {
            unseen.saw(seq, 0);
        }
    }
}
