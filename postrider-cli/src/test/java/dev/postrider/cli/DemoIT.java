package dev.postrider.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoIT {

    @Test
    void runsAsAProgramOfItsOwnWithResultsAloneOnStandardOutput() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "dev.postrider.cli.Main",
                        "demo",
                        "--orders",
                        "200",
                        "--relays",
                        "2")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();

        List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        assertThat(lines.get(lines.size() - 1)).matches(DemoTest.GOOD_LAST_LINE);
        assertThat(lines).noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
    }
}
