package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaneMarkTest {

    private static final Incarnation RUN = new Incarnation("a", 1000);
    private static final long NOTHING_UNSETTLED = Long.MAX_VALUE;

    private final LaneMark mark = new LaneMark(Optional.of(new ScanPosition(RUN, 7)));

    @Test
    void usesASavedPositionOfTheSameRunOnce() {
        assertThat(mark.takeSaved(RUN)).map(ScanPosition::seq).contains(7L);
        assertThat(mark.takeSaved(RUN)).isEmpty();
    }

    @Test
    void ignoresASavedPositionOfAnotherRun() {
        assertThat(mark.takeSaved(new Incarnation("a", 2000))).isEmpty();
        assertThat(mark.takeSaved(RUN)).isEmpty();
    }

    @Test
    void restartsFromTheHeadWhateverWasSaved() {
        mark.moveTo(50);
        mark.restart();

        assertThat(mark.safe()).isZero();
        assertThat(mark.takeSaved(RUN)).isEmpty();
    }

    @Test
    void isSettledUpToTheRowBeforeTheFirstUnsettledOne() {
        mark.moveTo(50);

        assertThat(mark.settledUpTo(NOTHING_UNSETTLED)).isEqualTo(50);
        assertThat(mark.settledUpTo(31)).isEqualTo(30);
    }

    @Test
    void isNotSettledBeyondARowThatWasPassedOver() {
        mark.passedOver(20);
        mark.passedOver(25);
        mark.moveTo(50);

        assertThat(mark.settledUpTo(NOTHING_UNSETTLED)).isEqualTo(19);
    }
}
