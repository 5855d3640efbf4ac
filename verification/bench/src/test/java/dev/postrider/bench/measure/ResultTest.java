package dev.postrider.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ResultTest {

    @Test
    void beginsWithWhatManyHave() {
        Measurement measured =
                Measurement.of("postrider", 1234.5678, 10, 10).with("lanes", 16).comparedWith(0.666666666, "jdbc-loop");
        Result result = Result.of("drain", "postgres", measured);
        assertThat(result.fields().keySet())
                .containsExactly(
                        "scenario", "store", "subject", "rate", "ratio", "ratio_to", "messages", "delivered", "lanes");
        assertThat(result.number("rate")).isEqualTo(1234.6);
        assertThat(result.number("ratio")).isEqualTo(0.66667);
    }

    @Test
    void failsIfAMessageIsMissing() {
        Measurement measured = Measurement.of("gruelbox", 100, 10, 9);
        assertThatThrownBy(() -> Result.of("peers", "mysql", measured))
                .hasMessage("peers on mysql: 9 of 10 messages of gruelbox were delivered");
    }
}
