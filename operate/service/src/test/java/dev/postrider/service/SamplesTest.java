package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every sample file can be used as it is, and with its comments taken away. */
class SamplesTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("DB_PASSWORD", "x", "RABBITMQ_PASSWORD", "y", "NATS_PASSWORD", "n", "KAFKA_JAAS", "z");

    static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../docs/samples"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void coverEveryStoreAndDestination() throws IOException {
        assertThat(samples())
                .extracting(file -> file.getFileName().toString())
                .contains(
                        "postgres-kafka.yaml",
                        "mysql-kafka.yaml",
                        "mariadb-kafka.yaml",
                        "tidb-kafka.yaml",
                        "h2-log.yaml")
                .contains("postgres-rabbitmq.yaml", "mysql-rabbitmq.yaml", "mariadb-rabbitmq.yaml")
                .contains("postgres-nats.yaml", "mysql-nats.yaml", "mariadb-nats.yaml")
                .contains("postgres-existing.yaml");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void canBeUsedAsTheyAre(Path sample) {
        assertThat(ServiceConfig.load(sample, ENVIRONMENT)
                        .outbox("app")
                        .routes()
                        .destinations())
                .containsExactly("main");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void canBeUsedWithEverythingThatIsCommentedOut(Path sample, @TempDir Path directory) {
        assertThat(ServiceConfig.load(uncommented(sample, directory), ENVIRONMENT)
                        .outboxes())
                .hasSize(1);
    }

    /** Lines such as {@code "    # tls: true"} lose their mark; prose at the start of the file stays. */
    private static Path uncommented(Path sample, Path directory) {
        try {
            String text = Files.readString(sample).replaceAll("(?m)^( +)# ( *)(?=[a-z.-]+:)", "$1$2");
            return Files.writeString(directory.resolve("sample.yaml"), text);
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }
}
