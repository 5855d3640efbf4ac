package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class NanosTest {

    @Test
    void areThoseOfTheDuration() {
        assertThat(Nanos.of(Duration.ofMillis(3))).isEqualTo(3_000_000);
        assertThat(Nanos.of(Duration.ZERO)).isZero();
    }

    @Test
    void areNeverNegativeNorTooManyToAdd() {
        assertThat(Nanos.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Nanos.MAX);
        assertThat(Nanos.of(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    }

    @Property
    void compareRightlyFromAnyStartOfTheClock(@ForAll long now) {
        long late = now + Nanos.MAX;

        assertThat(late - (now + 1) > 0).isTrue();
        assertThat(now - late < 0).isTrue();
    }
}
