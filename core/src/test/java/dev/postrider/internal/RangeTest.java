package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RangeTest {

    private static final Duration MIN = Duration.ofMillis(10);
    private static final Duration MAX = Duration.ofHours(1);

    @Test
    void letsValuesPassThatAreInsideOrOnTheEdge() {
        assertThat(Range.of("workers", 1, 1, 64)).isEqualTo(1);
        assertThat(Range.of("workers", 64, 1, 64)).isEqualTo(64);
        assertThat(Range.of("bytes", 5L << 32, 1L, 5L << 32)).isEqualTo(5L << 32);
        assertThat(Range.of("lease", MIN, MIN, MAX)).isEqualTo(MIN);
        assertThat(Range.of("lease", MAX, MIN, MAX)).isEqualTo(MAX);
    }

    @Test
    void namesOptionValueAndRangeOfWhatIsOutside() {
        assertThatThrownBy(() -> Range.of("workers", 0, 1, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("workers is 0, expected 1 to 64");
        assertThatThrownBy(() -> Range.of("workers", 65, 1, 64)).hasMessage("workers is 65, expected 1 to 64");
        assertThatThrownBy(() -> Range.of("bytes", -1L, 0L, 9L)).hasMessage("bytes is -1, expected 0 to 9");
        assertThatThrownBy(() -> Range.of("lease", Duration.ofMillis(9), MIN, MAX))
                .hasMessage("lease is 9 ms, expected 10 ms to 1 h");
        assertThatThrownBy(() -> Range.of("lease", Duration.ofSeconds(Long.MAX_VALUE), MIN, MAX))
                .hasMessageStartingWith("lease is 106,751,991,167,300 d 15 h, expected");
    }

    @Test
    void refusesNull() {
        assertThatThrownBy(() -> Range.of("lease", null, MIN, MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease is null");
    }
}
