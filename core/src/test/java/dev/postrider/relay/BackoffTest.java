package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.internal.Readable;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration CENTURIES = Duration.ofDays(365_000);

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 8", "5, 16", "6, 32", "7, 60", "8, 60", "1000000, 60"})
    void exponentialDoublesUpToItsCap(int failures, long seconds) {
        Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(60));

        assertThat(meanMillis(backoff, failures)).isBetween(seconds * 800.0, seconds * 1080.0);
    }

    @ParameterizedTest
    @CsvSource({"1, 75, 125", "2, 150, 250", "3, 300, 500", "4, 600, 1000", "5, 750, 1000", "99, 750, 1000"})
    void exponentialStaysWithinAQuarterOfItsPlan(int failures, long from, long to) {
        Backoff backoff = Backoff.exponential(Duration.ofMillis(100), Duration.ofMillis(1000));

        assertThat(draws(backoff, failures))
                .allSatisfy(nanos -> assertThat(nanos)
                        .isBetween(
                                Duration.ofMillis(from).toNanos(),
                                Duration.ofMillis(to).toNanos()));
    }

    @ParameterizedTest
    @CsvSource({"1, 75, 125", "2, 112, 188", "3, 168, 282", "4, 253, 422", "9, 750, 1000", "1000000, 750, 1000"})
    void exponentialGrowsByItsMultiplier(int failures, long from, long to) {
        Backoff backoff = Backoff.exponential(Duration.ofMillis(100), Duration.ofMillis(1000), 1.5);

        assertThat(draws(backoff, failures))
                .allSatisfy(nanos -> assertThat(nanos)
                        .isBetween(
                                Duration.ofMillis(from).toNanos(),
                                Duration.ofMillis(to).toNanos()));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.99, 100.1, Double.NaN})
    void refusesAMultiplierThatShrinksOrExplodes(double multiplier) {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(60), multiplier))
                .hasMessageContaining("multiplier is " + multiplier);
    }

    @ParameterizedTest
    @CsvSource({"1, 80, 120", "2, 160, 240", "3, 240, 360", "9, 720, 1000", "10, 800, 1000", "99, 800, 1000"})
    void linearStaysWithinAFifthOfItsPlan(int failures, long from, long to) {
        Backoff backoff = Backoff.linear(Duration.ofMillis(100), Duration.ofMillis(1000));

        assertThat(draws(backoff, failures))
                .allSatisfy(nanos -> assertThat(nanos)
                        .isBetween(
                                Duration.ofMillis(from).toNanos(),
                                Duration.ofMillis(to).toNanos()));
    }

    @Test
    void constantIsAlwaysTheSame() {
        Backoff backoff = Backoff.constant(Duration.ofSeconds(15));

        assertThat(IntStream.of(1, 2, 100, Integer.MAX_VALUE))
                .allSatisfy(failures -> assertThat(backoff.delay(failures)).isEqualTo(Duration.ofSeconds(15)));
    }

    @Test
    void spreadsItsDraws() {
        Backoff backoff = Backoff.exponential(Duration.ofMillis(100), Duration.ofMinutes(1));

        assertThat(draws(backoff, 3).distinct().count()).isGreaterThan(900);
    }

    @Property
    void neverExceedsItsCapAndNeverIsZero(
            @ForAll int failures, @ForAll @LongRange(min = 1) long base, @ForAll @LongRange(min = 0) long more) {
        Duration max = Duration.ofNanos(base).plusNanos(more);

        assertThat(Backoff.exponential(Duration.ofNanos(base), max).delay(failures))
                .isPositive()
                .isLessThanOrEqualTo(max);
        assertThat(Backoff.linear(Duration.ofNanos(base), max).delay(failures))
                .isPositive()
                .isLessThanOrEqualTo(max);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 40, 41, 63, 64, 65, Integer.MAX_VALUE})
    void survivesHugeAttemptCountsAndCentury(int failures) {
        assertThat(Backoff.exponential(CENTURIES, CENTURIES).delay(failures)).isPositive();
        assertThat(Backoff.linear(Duration.ofDays(1), CENTURIES).delay(failures))
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void refusesABaseThatIsNotPositive(Duration base) {
        assertThatThrownBy(() -> Backoff.exponential(base, CENTURIES))
                .hasMessage("Back-off base is %s, expected more than zero", Readable.time(base));
        assertThatThrownBy(() -> Backoff.linear(base, CENTURIES))
                .hasMessage("Back-off base is %s, expected more than zero", Readable.time(base));
        assertThatThrownBy(() -> Backoff.constant(base))
                .hasMessage("Back-off delay is %s, expected more than zero", Readable.time(base));
    }

    @Test
    void refusesACapBelowItsBase() {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Back-off max is 1 s, expected at least the base 2 s");
        assertThatThrownBy(() -> Backoff.linear(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessage("Back-off max is 1 s, expected at least the base 2 s");
    }

    private static LongStream draws(Backoff backoff, int failures) {
        return IntStream.range(0, 1000).mapToLong(i -> backoff.delay(failures).toNanos());
    }

    private static double meanMillis(Backoff backoff, int failures) {
        return draws(backoff, failures).average().orElseThrow() / 1_000_000;
    }
}
