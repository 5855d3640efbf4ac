package dev.postrider.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final Size FULL = new Size(1_000, 512, 4);
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void doesEverythingWithoutALimit() {
        Pace pace = Pace.of(FULL);
        Stint stint = pace.begin(1, true);
        stint.begin(LONG.toNanos());
        assertThat(stint.messages()).isEqualTo(1_000);
        assertThat(rounds(stint, LONG)).isEqualTo(4);
        assertThat(pace.left()).isGreaterThan(LONG);
    }

    @Test
    void makesRoundsSmallerSoThatSeveralFit() {
        Stint stint = limited(Duration.ofSeconds(40)).begin(1, true);
        assertThat(stint.messages()).isEqualTo(31);
        for (int round = 0; round < 5; round++) {
            stint.goOn();
        }
        assertThat(stint.messages()).isEqualTo(250);
        stint.begin(Duration.ofSeconds(20).toNanos());
        assertThat(stint.messages()).isBetween(100, 125);
    }

    @Test
    void doesNotShrinkRoundsUntilTheyTellNothing() {
        Stint stint = limited(Duration.ZERO).begin(1, true);
        stint.begin(Duration.ofSeconds(20).toNanos());
        assertThat(stint.messages()).isEqualTo(31);
        assertThat(rounds(stint, Duration.ofSeconds(1))).isEqualTo(1);
    }

    @Test
    void makesRoundsNoLargerThanWanted() {
        Stint stint = limited(LONG).begin(1, true);
        stint.begin(1);
        assertThat(stint.messages()).isEqualTo(1_000);
        assertThat(rounds(stint, Duration.ofSeconds(1))).isEqualTo(4);
    }

    @Test
    void leavesTheSizeOfEqualTurnsAlone() {
        Stint stint = limited(Duration.ofSeconds(40)).begin(1, false);
        stint.begin(Duration.ofSeconds(20).toNanos());
        assertThat(stint.messages()).isEqualTo(1_000);
    }

    @Test
    void beginsNoRoundThatWouldNotEndInTime() {
        Stint stint = limited(Duration.ofSeconds(40)).begin(1, true);
        stint.begin(1);
        assertThat(rounds(stint, Duration.ofSeconds(60))).isEqualTo(1);
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

    private static int rounds(Stint stint, Duration each) {
        int rounds = 0;
        while (stint.hasNext()) {
            stint.finished(each.toNanos());
            rounds++;
        }
        return rounds;
    }
}
