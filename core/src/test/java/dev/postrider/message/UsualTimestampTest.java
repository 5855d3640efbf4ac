package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsualTimestampTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-28T23:59:59Z",
                "0000-12-01T00:00:00Z",
                "2026-01-01T12:00:00.1Z",
                "2026-01-01T12:00:00.123456789Z"
            })
    void recognisesWhatMostProducersWrite(String text) {
        assertThat(UsualTimestamp.is(text)).isTrue();
    }

    /** Some of them are valid: the formatter decides about those. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-01-31T12:00:00Z",
                "2026-02-30T12:00:00Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T12:60:00Z",
                "2026-01-01T12:00:60Z",
                "2026-13-01T12:00:00Z",
                "2026-00-01T12:00:00Z",
                "2026-01-00T12:00:00Z",
                "2026-01-01 12:00:00Z",
                "2026-01-01T12:00:00",
                "2026-01-01T12:00:00z",
                "2026-01-01T12:00:00.Z",
                "2026-01-01T12:00:00.1234567890Z",
                "2026-01-01T12:00:00+01:00",
                "-026-01-01T12:00:00Z"
            })
    void leavesTheRestToTheFormatter(String text) {
        assertThat(UsualTimestamp.is(text)).isFalse();
    }

    @Test
    void recognisesNothingThatTheFormatterRefuses() {
        Random random = new Random(17);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder("2026-01-28T23:59:59.5Z");
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                text.setCharAt(random.nextInt(text.length()), "0123456789-:.TZ/;٣".charAt(random.nextInt(18)));
            }
            if (UsualTimestamp.is(text.toString())) {
                assertThat(isValid(text)).as(text.toString()).isTrue();
            }
        }
    }

    private static boolean isValid(CharSequence text) {
        try {
            DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text);
            return true;
        } catch (DateTimeException invalid) {
            return false;
        }
    }
}
