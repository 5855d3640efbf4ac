package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TrailingSeqTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final TrailingSeq tip = new TrailingSeq();

    @Test
    void isRipeOnlyASecondAfterItWasSeen() {
        tip.saw(10, 5 * SECOND);

        assertThat(tip.ripe(6 * SECOND - 1)).isZero();
        assertThat(tip.ripe(6 * SECOND)).isEqualTo(10);
    }

    @Test
    void ripensUnderSteadyTraffic() {
        for (int tenth = 0; tenth <= 30; tenth++) {
            tip.saw(100 + tenth, tenth * SECOND / 10);
        }

        assertThat(tip.ripe(3 * SECOND)).isBetween(110L, 120L);
    }

    @Test
    void neverGoesBack() {
        tip.saw(10, 0);
        tip.saw(4, 2 * SECOND);

        assertThat(tip.ripe(4 * SECOND)).isEqualTo(10);
    }

    @Test
    void forgetsWhatAnEarlierRunOfTheServerShowed() {
        tip.saw(10, 0);
        tip.forget();

        assertThat(tip.ripe(9 * SECOND)).isZero();
    }
}
