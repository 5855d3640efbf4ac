package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.options.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoTest {

    /** The poison is the only dead letter; at least the send in which the relay was killed comes twice. */
    static final String GOOD_LAST_LINE =
            "demo: committed=\\d+ delivered=\\d+ dead=1 lost=0 duplicates=[1-9]\\d* out_of_order=0 p50_ms=\\d+ p99_ms=\\d+";

    @Test
    void losesNothingAndKeepsOrderWhileARelayIsKilled() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int exitCode = Main.run(
                new Environment(Map.of()),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                "demo",
                "--orders",
                "400",
                "--headless");

        List<String> lines = out.toString().lines().toList();
        assertThat(exitCode).as(out + "\n" + err).isZero();
        assertThat(lines.get(lines.size() - 1)).matches(GOOD_LAST_LINE);
        assertThat(out.toString()).contains("taken over after");
        assertThat(err.toString()).contains("2: killed");
    }
}
