package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DemoIT {

    @Test
    void printsResultsAloneOnStandardOutput(@TempDir Path directory) {
        try (RelayProcess demo = RelayProcess.start(directory, Map.of(), "demo", "--orders", "200", "--relays", "2")) {
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();

            List<String> lines = demo.out().lines().toList();
            assertThat(lines.get(lines.size() - 1)).matches(DemoTest.GOOD_LAST_LINE);
            assertThat(lines).noneMatch(line -> line.contains(" ERROR ") || line.contains(" WARN "));
        }
    }
}
