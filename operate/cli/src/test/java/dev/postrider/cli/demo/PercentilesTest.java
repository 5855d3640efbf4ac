package dev.postrider.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {

    @Test
    void takesTheNearestRank() {
        List<Duration> oneToHundred =
                IntStream.rangeClosed(1, 100).mapToObj(Duration::ofMillis).toList();

        assertThat(Percentiles.of(oneToHundred))
                .isEqualTo(new Percentiles(Duration.ofMillis(50), Duration.ofMillis(99), Duration.ofMillis(100)));
    }

    @Test
    void isZeroWithoutValues() {
        assertThat(Percentiles.of(List.of())).isEqualTo(new Percentiles(Duration.ZERO, Duration.ZERO, Duration.ZERO));
    }
}
