package dev.postrider.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PaintTest {

    @Test
    void paintsAtATerminalOnly() {
        assertThat(Paint.of(Map.of(), true).bad("ERROR")).isEqualTo("\u001b[1;31mERROR\u001b[0m");
        assertThat(Paint.of(Map.of(), false).bad("ERROR")).isEqualTo("ERROR");
    }

    @Test
    void respectsThatSomebodyWantsNoColour() {
        assertThat(Paint.of(Map.of("NO_COLOR", "1"), true).good("ok")).isEqualTo("ok");
        assertThat(Paint.of(Map.of("NO_COLOR", ""), true).good("ok")).contains("\u001b[32m");
    }
}
