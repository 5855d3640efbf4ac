package dev.postrider.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final StringWriter written = new StringWriter();

    @Test
    void writesOnePlainLineWithoutControlCharacters() {
        Progress.plain(new PrintWriter(written)).show(0.5, List.of("orders 1", "events 2"));

        assertThat(written.toString().lines()).containsExactly("orders 1; events 2");
        assertThat(written.toString()).doesNotContain("\u001b", "\r");
    }

    @Test
    void redrawsTheSameLinesOnATerminal() {
        Progress progress = Progress.live(new PrintWriter(written));

        progress.show(0.25, List.of("orders 1", "events 2"));
        assertThat(written.toString())
                .contains("[##########..............................] 25 %")
                .doesNotContain("\u001b[3A");

        progress.show(2, List.of("orders 9", "events 9"));
        assertThat(written.toString())
                .contains("\u001b[3A")
                .endsWith("\revents 9\u001b[K\n")
                .contains("] 100 %");
    }

    @Test
    void alignsTheValuesOfATable() {
        assertThat(new TextTable()
                        .row("a", "1")
                        .row("long name", "2")
                        .row("a", "3")
                        .lines())
                .containsExactly("  a          1", "  long name  2", "  a          3");
    }
}
