package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.internal.Printable;
import dev.postrider.message.InvalidMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                " ends ",
                " ",
                "100%",
                "%41",
                "%zz",
                "ä日本\uD83D\uDE80",
                "a\r\nb\tc",
                "\"q\" \\ : ;=,",
                "50 % of it"
            })
    void readsBackWhatItWrote(String value) {
        String encoded = HeaderText.encode(value);

        assertThat(encoded).matches("[ -~]*").doesNotStartWith(" ").doesNotEndWith(" ");
        assertThat(HeaderText.decode(encoded)).isEqualTo(value);
    }

    @Test
    void leavesWhatNeedsNoEncoding() {
        assertThat(HeaderText.encode("application/json; charset=utf-8")).isEqualTo("application/json; charset=utf-8");
        assertThat(HeaderText.encode("größe")).isEqualTo("gr%C3%B6%C3%9Fe");
    }

    @Test
    void leavesAPercentSignAloneThatBeginsNoCode() {
        assertThat(HeaderText.decode("100% %g1 %4")).isEqualTo("100% %g1 %4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "größe", "colon:", "tab\t"})
    void refusesNamesThatNatsCannotCarry(String name) {
        assertThatThrownBy(() -> HeaderText.checkedName(name))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(Printable.of(name));
    }
}
