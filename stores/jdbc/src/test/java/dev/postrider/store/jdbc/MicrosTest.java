package dev.postrider.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MicrosTest {

    @Test
    void roundsUpSoThatNothingIsDueTooEarly() {
        assertThat(Micros.of(Duration.ofMillis(3))).isEqualTo(3_000);
        assertThat(Micros.of(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(Micros.of(Duration.ofNanos(2_001))).isEqualTo(3);
        assertThat(Micros.of(Duration.ofSeconds(-2))).isEqualTo(-2_000_000);
        assertThat(Micros.of(Duration.ofNanos(-1_500))).isEqualTo(-1);
    }

    @Test
    void boundsWhatNoDatabaseCanStore() {
        assertThat(Micros.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Micros.of(Duration.ofDays(365_000)));
        assertThat(Micros.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(-Micros.of(Duration.ofDays(365_000)));
        assertThat(Micros.bounded(Instant.MIN)).isEqualTo(Instant.EPOCH);
        assertThat(Micros.bounded(Instant.MAX)).isEqualTo(Instant.parse("9999-12-31T00:00:00Z"));
    }
}
