package dev.postrider.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final Size FULL = new Size(1_000, 512, 4);
    private static final int SMALLEST_ROUND = FULL.messages() / 32;
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void doesEverythingWithoutALimit() {
        Pace pace = Pace.of(FULL);
        Stint stint = pace.begin(1, true);
        stint.begin(LONG.toNanos());
        assertThat(stint.messages()).isEqualTo(FULL.messages());
        assertThat(rounds(stint, LONG)).isEqualTo(FULL.rounds());
        assertThat(pace.left()).isGreaterThan(LONG);
    }

    /** While it warms up, rounds grow up to a quarter. */
    @Test
    void warmsUpWithRoundsThatGrow() {
        Stint stint = limited(Duration.ofSeconds(40)).begin(1, true);
        assertThat(stint.messages()).isEqualTo(SMALLEST_ROUND);
        for (int round = 0; round < 5; round++) {
            schedule.goOn();
        }
        assertThat(stint.messages()).isEqualTo(FULL.messages() / 4);
    }

    /** A quarter took half of the time that there is: four rounds fit if each is a tenth. */
    @Test
    void makesRoundsSmallerSoThatAllFit() {
        Stint stint = limited(Duration.ofSeconds(40)).begin(1, true);
        for (int round = 0; round < 5; round++) {
            stint.goOn();
        }

        stint.begin(Duration.ofSeconds(20).toNanos());

        assertThat(stint.messages()).isBetween(FULL.messages() / 10, FULL.messages() / 8);
    }

    @Test
    void doesNotShrinkRoundsUntilTheyTellNothing() {
        Stint stint = limited(Duration.ZERO).begin(1, true);
        stint.begin(Duration.ofSeconds(20).toNanos());
        assertThat(stint.messages()).isEqualTo(SMALLEST_ROUND);
        assertThat(rounds(stint, Duration.ofSeconds(1))).isEqualTo(1);
    }

    @Test
    void makesRoundsNoLargerThanWanted() {
        Stint stint = limited(LONG).begin(1, true);
        stint.begin(1);
        assertThat(stint.messages()).isEqualTo(FULL.messages());
        assertThat(rounds(stint, Duration.ofSeconds(1))).isEqualTo(FULL.rounds());
    }

    @Test
    void leavesTheSizeOfEqualTurnsAlone() {
        Stint stint = limited(Duration.ofSeconds(40)).begin(1, false);
        stint.begin(Duration.ofSeconds(20).toNanos());
        assertThat(stint.messages()).isEqualTo(FULL.messages());
    }

    @Test
    void beginsNoRoundThatWouldNotEndInTime() {
        RoundSchedule schedule = limited(Duration.ofSeconds(40)).begin(1, true);
        schedule.begin(1);
        assertThat(rounds(schedule, Duration.ofSeconds(60))).isEqualTo(1);
    }

    @Test
    void warmsUpByTimeOnceAndThenByOneRound() {
        Pace pace = new Pace(FULL, FULL, Optional.empty(), LONG);
        assertThat(pace.begin(1, true).isWarm()).isFalse();
        assertThat(pace.begin(1, true).isWarm()).isTrue();
    }

    @Test
    void tellsTheAverageShareOfItsParts() {
        Pace pace = limited(LONG);
        assertThat(pace.scale()).isEqualTo(1);
        pace.did(1_000);
        pace.did(3_000);
        assertThat(pace.scale()).isCloseTo(0.5, within(1e-9));
    }

    private static Pace limited(Duration limit) {
        return new Pace(FULL, FULL, Optional.of(limit), Duration.ZERO);
    }

    private static int rounds(RoundSchedule schedule, Duration each) {
        int rounds = 0;
        while (schedule.hasNext()) {
            schedule.finished(each.toNanos());
            rounds++;
        }
        return rounds;
    }
}
