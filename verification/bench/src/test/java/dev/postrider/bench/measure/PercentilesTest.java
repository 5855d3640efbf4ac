package dev.postrider.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {

    private static final long MILLISECOND = 1_000_000;

    @Test
    void givesValuesThatWereMeasured() {
        Percentiles hundred = new Percentiles(
                LongStream.rangeClosed(1, 100).map(n -> (101 - n) * MILLISECOND).toArray());
        assertThat(hundred.millis(0.50)).isEqualTo(50);
        assertThat(hundred.millis(0.95)).isEqualTo(95);
        assertThat(hundred.millis(0.99)).isEqualTo(99);
        assertThat(hundred.millis(1)).isEqualTo(100);
    }

    @Test
    void roundsRanksUp() {
        Percentiles three = new Percentiles(new long[] {MILLISECOND, 2 * MILLISECOND, 9 * MILLISECOND});
        assertThat(three.millis(0.50)).isEqualTo(2);
        assertThat(three.millis(0.67)).isEqualTo(9);
        assertThat(three.millis(0)).isEqualTo(1);
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> new Percentiles(new long[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
