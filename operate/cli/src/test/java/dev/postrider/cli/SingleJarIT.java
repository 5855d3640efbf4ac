package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line as one file, alone in a directory: it brings every driver and every kind of destination. */
@Timeout(180)
class SingleJarIT {

    @Test
    void bringsAllStoresAndDestinations(@TempDir Path directory) throws Exception {
        Files.copy(Path.of("target", "postrider.jar"), directory.resolve("postrider.jar"));
        Files.writeString(directory.resolve("postrider.yaml"), """
            destinations:
              kafka: {type: kafka, bootstrap-servers: "localhost:1"}
              rabbitmq: {type: rabbitmq, addresses: "localhost:1"}
              nats: {type: nats, servers: "nats://localhost:1"}
              file: {type: file, path: out.jsonl}
            outboxes:
              postgres: {database: {url: "jdbc:postgresql://localhost:1/x"}, destination: kafka}
              mysql: {database: {url: "jdbc:mysql://localhost:1/x"}, destination: rabbitmq}
              mariadb: {database: {url: "jdbc:mariadb://localhost:1/x"}, destination: nats}
              h2: {database: {url: "jdbc:h2:mem:x"}, schema-mode: create, destination: file}
            """);

        List<String> lines = run(directory, "relay", "--config", "postrider.yaml", "--check");

        assertThat(lines)
                .contains("FAILED  destination kafka", "FAILED  destination rabbitmq", "FAILED  destination nats")
                .contains("FAILED  outbox postgres: database", "FAILED  outbox mysql: database")
                .contains("FAILED  outbox mariadb: database", "ok      outbox h2: database")
                .noneMatch(line -> line.contains("No suitable driver") || line.contains("NoClassDefFound"));
    }

    @Test
    void bringsNoTestKitAndNoOtherLibraryToCompareWith() throws IOException {
        try (JarFile jar = new JarFile(Path.of("target", "postrider.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .contains("dev/postrider/bench/", "dev/postrider/prove/")
                    .noneMatch(name -> name.startsWith("dev/postrider/testkit/")
                            || name.startsWith("dev/postrider/testservers/")
                            || name.startsWith("dev/postrider/benchpeers/")
                            || name.startsWith("org/junit/")
                            || name.startsWith("org/assertj/")
                            || name.startsWith("org/springframework/")
                            || name.startsWith("com/gruelbox/"));
        }
    }

    private static List<String> run(Path directory, String... arguments) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder builder = new ProcessBuilder(java.toString(), "-jar", "postrider.jar");
        builder.command().addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        Process process = builder.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return Files.readAllLines(output);
    }
}
