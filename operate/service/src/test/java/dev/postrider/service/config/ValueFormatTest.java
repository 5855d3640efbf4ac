package dev.postrider.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.OnExhausted;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueFormatTest {

    @ParameterizedTest
    @CsvSource({"200ms,PT0.2S", "5s,PT5S", "10m,PT10M", "1h,PT1H", "30d,PT720H", "0,PT0S", "PT7S,PT7S", "' 5 s ',PT5S"})
    void readsTimes(String text, Duration expected) {
        assertThat(ValueFormat.DURATION_FORM.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "s", "-5s", "5 weeks", "", "99999999999999999999d", "PT-5S", "100001d"})
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> ValueFormat.DURATION_FORM.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a time such as 200ms");
    }

    @ParameterizedTest
    @CsvSource({"512,512", "64KiB,65536", "16MiB,16777216", "1 GiB,1073741824", "1_000,1000"})
    void readsSizes(String text, long expected) {
        assertThat(ValueFormat.SIZE_FORM.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"16MB", "-1", "many", "99999999999999GiB"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> ValueFormat.SIZE_FORM.parse(text)).hasMessageContaining("expected a number of bytes");
    }

    @Test
    void readsChoicesNumbersAndFlags() {
        assertThat(ValueFormat.choice(OnExhausted.class).parse("block-key")).isEqualTo(OnExhausted.BLOCK_KEY);
        assertThat(ValueFormat.NUMBER.parse("10_000")).isEqualTo(10_000);
        assertThat(ValueFormat.FLAG.parse("true")).isTrue();
        assertThatThrownBy(() -> ValueFormat.choice(OnExhausted.class).parse("dead-letter-key"))
                .hasMessage("is 'dead-letter-key', expected one of dead-letter, block-key");
        assertThatThrownBy(() -> ValueFormat.NUMBER.parse("3.5")).hasMessage("is '3.5', expected a whole number");
        assertThatThrownBy(() -> ValueFormat.FLAG.parse("yes")).hasMessage("is 'yes', expected true or false");
    }
}
