package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LockWaitsTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LockWaits waits = new LockWaits();

    @Test
    void rulesOutWhatWasDrawnASecondBeforeTheFirstOfTwoCountsOfNone() {
        waits.counted(0, 10 * SECOND);
        assertThat(waits.ruledOutBefore()).isEmpty();

        waits.counted(0, 11 * SECOND);
        assertThat(waits.ruledOutBefore()).hasValue(9 * SECOND);
    }

    @Test
    void countsOfNoneNeedNotFollowEachOther() {
        waits.counted(0, 10 * SECOND);
        waits.counted(3, 11 * SECOND);
        waits.counted(0, 12 * SECOND);

        assertThat(waits.ruledOutBefore()).hasValue(9 * SECOND);
    }

    @Test
    void rulesOutNothingWhileSomebodyWaits() {
        waits.counted(0, 10 * SECOND);
        waits.counted(1, 20 * SECOND);
        waits.counted(1, 30 * SECOND);

        assertThat(waits.ruledOutBefore()).isEmpty();
    }

    /** At -1 nobody waits, so at 0 somebody does. */
    @Test
    void believesACountThatIsOffOnlyAtItsLowest() {
        waits.counted(-1, 10 * SECOND);
        waits.counted(0, 20 * SECOND);
        assertThat(waits.ruledOutBefore()).isEmpty();

        waits.counted(-1, 30 * SECOND);
        assertThat(waits.ruledOutBefore()).hasValue(9 * SECOND);
    }
}
