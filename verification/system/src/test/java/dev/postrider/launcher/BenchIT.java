package dev.postrider.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the command with few messages, on servers that it starts: that scenarios work, not how fast. */
class BenchIT {

    private static final Pattern COUNTS = Pattern.compile("\"messages\":(\\d+),\"delivered\":(\\d+)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"postgres, drain enqueue mixed scale kafka", "mysql, drain skip-locked memory"})
    void deliversEveryMessage(String database, String scenarios) throws Exception {
        if (!database.equals("mysql")) {
            Servers.skipWithTidb();
        }
        String store = Servers.isTidbForMysql() ? "tidb" : database;
        List<String> lines = bench(store, scenarios.split(" "));
        for (String scenario : scenarios.split(" ")) {
            assertThat(lines)
                    .anyMatch(
                            line -> line.startsWith("{\"scenario\":\"%s\",\"store\":\"%s\"".formatted(scenario, store))
                                    && line.contains("\"subject\":\"postrider\""));
        }
        assertThat(lines).anyMatch(line -> line.contains("\"tracing_cost\":"));
        assertThat(lines).allSatisfy(line -> {
            Matcher counts = COUNTS.matcher(line);
            assertThat(counts.find()).isTrue();
            assertThat(counts.group(2)).isEqualTo(counts.group(1));
        });
        assertThat(directory).isDirectoryContaining("glob:**summary.csv").isDirectoryContaining("glob:**drain.svg");
    }

    private List<String> bench(String store, String... scenarios) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(
                List.of(java, "-cp", System.getProperty("java.class.path"), "dev.postrider.cli.Main", "bench"));
        command.addAll(Arrays.asList(scenarios));
        Stream.of("--store", store, "--fast", "--quick", "--messages", "100", "--rounds", "1", "--output", "json")
                .forEach(command::add);
        command.addAll(List.of("--report", directory.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isZero();
            return out.lines().toList();
        } finally {
            process.destroy();
        }
    }
}
