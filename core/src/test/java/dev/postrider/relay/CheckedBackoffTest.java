package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CheckedBackoffTest {

    @BeforeAll
    static void expectWarnings() {
        ((Logger) LoggerFactory.getLogger(CheckedBackoff.class)).setLevel(Level.OFF);
    }

    @AfterAll
    static void warnAgain() {
        ((Logger) LoggerFactory.getLogger(CheckedBackoff.class)).setLevel(null);
    }

    @Test
    void passesOnWhatCanBeStored() {
        Backoff backoff = new CheckedBackoff(failures -> Duration.ofSeconds(failures));

        assertThat(backoff.delay(7)).isEqualTo(Duration.ofSeconds(7));
        assertThat(new CheckedBackoff(failures -> Duration.ZERO).delay(1)).isZero();
    }

    @Test
    void waitsASecondForABackoffThatFailsOrAnswersNonsense() {
        Backoff broken = failures -> {
            throw new IllegalStateException("no table for " + failures);
        };

        assertThat(new CheckedBackoff(broken).delay(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(new CheckedBackoff(failures -> null).delay(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(new CheckedBackoff(failures -> Duration.ofMillis(-1)).delay(1))
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void cutsWhatNoClockCanBear() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);

        assertThat(new CheckedBackoff(failures -> endless).delay(1))
                .isGreaterThan(Duration.ofDays(365 * 70))
                .isLessThan(Duration.ofDays(365 * 80));
    }
}
