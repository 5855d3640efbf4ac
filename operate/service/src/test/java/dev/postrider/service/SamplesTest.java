package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every sample file can be used as it is, and with its comments taken away. */
class SamplesTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("DB_PASSWORD", "x", "RABBITMQ_PASSWORD", "y", "NATS_PASSWORD", "n", "KAFKA_JAAS", "z");

    private static final Map<String, String> DATABASE_URLS =
            Map.of("postgres", "jdbc:postgresql:", "tidb", "jdbc:mysql://localhost:4000");
    private static final Map<String, String> DESTINATIONS = Map.of(
            "kafka", "KafkaDestination",
            "rabbitmq", "RabbitmqDestination",
            "nats", "NatsDestination",
            "existing", "RabbitmqDestination",
            "log", "LogDestination");

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

    /** A sample named after MySQL and Kafka that opens anything else would be of no use to whoever copies it. */
    @ParameterizedTest
    @MethodSource("samples")
    void openWhatTheirNameSays(Path sample) {
        ServiceConfig config = ServiceConfig.load(sample, ENVIRONMENT);
        String name = sample.getFileName().toString();
        String database = name.substring(0, name.indexOf('-'));
        String broker = name.substring(name.indexOf('-') + 1, name.indexOf('.'));
        List<String> opened = new ArrayList<>();
        config.withDestinations(
                Set.of("app"), destination -> opened.add(destination.getClass().getSimpleName()));

        assertThat(config.outbox("app").database().url())
                .startsWith(DATABASE_URLS.getOrDefault(database, "jdbc:" + database + ":"));
        assertThat(opened).containsExactly(DESTINATIONS.get(broker));
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
