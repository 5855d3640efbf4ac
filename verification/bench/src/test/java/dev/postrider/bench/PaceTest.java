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
        RoundSchedule schedule = pace.begin(1, true);
        schedule.begin(LONG.toNanos());
        assertThat(schedule.messages()).isEqualTo(FULL.messages());
        assertThat(rounds(schedule, LONG)).isEqualTo(FULL.rounds());
        assertThat(pace.left()).isGreaterThan(LONG);
    }

    /** While it warms up, rounds grow up to a quarter. */
    @Test
    void warmsUpWithRoundsThatGrow() {
        RoundSchedule schedule = limited(Duration.ofSeconds(40)).begin(1, true);
        assertThat(schedule.messages()).isEqualTo(SMALLEST_ROUND);
        for (int round = 0; round < 5; round++) {
            schedule.goOn();
        }
        assertThat(schedule.messages()).isEqualTo(FULL.messages() / 4);
    }

    /** A quarter took half of the time that there is: four rounds fit if each is a tenth. */
    @Test
    void makesRoundsSmallerSoThatAllFit() {
        RoundSchedule schedule = limited(Duration.ofSeconds(40)).begin(1, true);
        for (int round = 0; round < 5; round++) {
            schedule.goOn();
        }

        schedule.begin(Duration.ofSeconds(20).toNanos());

        assertThat(schedule.messages()).isBetween(FULL.messages() / 10, FULL.messages() / 8);
    }

    @Test
    void doesNotShrinkRoundsUntilTheyTellNothing() {
        RoundSchedule schedule = limited(Duration.ZERO).begin(1, true);
        schedule.begin(Duration.ofSeconds(20).toNanos());
        assertThat(schedule.messages()).isEqualTo(SMALLEST_ROUND);
        assertThat(rounds(schedule, Duration.ofSeconds(1))).isEqualTo(1);
    }

    @Test
    void makesRoundsNoLargerThanWanted() {
        RoundSchedule schedule = limited(LONG).begin(1, true);
        schedule.begin(1);
        assertThat(schedule.messages()).isEqualTo(FULL.messages());
        assertThat(rounds(schedule, Duration.ofSeconds(1))).isEqualTo(FULL.rounds());
    }

    @Test
    void leavesTheSizeOfEqualTurnsAlone() {
        RoundSchedule schedule = limited(Duration.ofSeconds(40)).begin(1, false);
        schedule.begin(Duration.ofSeconds(20).toNanos());
        assertThat(schedule.messages()).isEqualTo(FULL.messages());
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
