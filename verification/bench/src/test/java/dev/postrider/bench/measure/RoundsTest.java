package dev.postrider.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static final Span SECOND = new Span(0, 1_000_000_000);

    @Test
    void takesTheMedianOfTheRoundsOwnRatios() {
        Rounds own = rounds(50, 100, 10);
        Rounds others = rounds(100, 100, 100);
        assertThat(own.medianRatioTo(others)).isEqualTo(0.5);
        assertThat(own.medianRate()).isEqualTo(50);
    }

    @Test
    void liesBetweenTheMiddleOnesOfAnEvenNumber() {
        assertThat(rounds(10, 20, 30, 100).medianRate()).isCloseTo(25, within(1e-9));
    }

    @Test
    void addsUpMessagesAndTellsTheSpread() {
        Measurement line = rounds(10, 30).measured("postrider");
        assertThat(line.messages()).isEqualTo(14);
        assertThat(line.delivered()).isEqualTo(14);
        assertThat(line.figures()).containsEntry("rate_min", 10.0).containsEntry("rate_max", 30.0);
    }

    @Test
    void averagesProcessorsAddsUpCountsAndTakesTheMostMemory() {
        Measurement line = rounds(10, 30).measured("postrider");
        assertThat(line.figures())
                .containsEntry("client_cpu", 2.0)
                .containsEntry("client_rss_mb", 30L)
                .containsEntry("client_gc_ms", 40L);
    }

    @Test
    void acceptsNoRoundWithAMissingMessage() {
        assertThatThrownBy(() -> new Round(100, 7, 6, SECOND))
                .isInstanceOf(BenchException.class)
                .hasMessage("6 of 7 messages were delivered");
    }

    @Test
    void acceptsNoRoundWithADuplicate() {
        assertThatThrownBy(() -> new Round(100, 7, 8, SECOND)).isInstanceOf(BenchException.class);
    }

    private static Rounds rounds(double... rates) {
        Rounds rounds = new Rounds();
        for (double rate : rates) {
            rounds.add(
                    new Round(rate, 7, 7, SECOND),
                    new Usage(Map.of("client_cpu", rate / 10, "client_rss_mb", rate, "client_gc_ms", rate)));
        }
        return rounds;
    }
}
