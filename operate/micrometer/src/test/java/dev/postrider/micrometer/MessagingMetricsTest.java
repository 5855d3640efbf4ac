package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessagingMetricsTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "metrics.md");
    private static final Attempt ATTEMPT = new Attempt(
            "main", 3, OutboxMessage.builder("secret-topic").type("x").build(), 1, 1);
    private static final Duration TOOK = Duration.ofMillis(20);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MessagingMetrics metrics = new MessagingMetrics(registry, name -> "kafka");

    private void tellEverything() {
        metrics.delivered(ATTEMPT, TOOK, TOOK);
        metrics.failed(ATTEMPT, new DeliveryResult.Retry("busy", Optional.empty()), TOOK);
        metrics.failed(
                ATTEMPT, new DeliveryResult.Retry("busy", Optional.of(new IllegalStateException("secret"))), TOOK);
        metrics.handled("billing", TOOK);
        metrics.failed("billing", TOOK);
    }

    @Test
    void countsAndTimesByTheConventions() {
        tellEverything();

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsOnly(Stream.of(MessagingMeter.values())
                        .map(MessagingMeter::meterName)
                        .toArray(String[]::new));
        for (Meter meter : registry.getMeters()) {
            assertThat(meter.getId().getTags())
                    .extracting(Tag::getKey)
                    .containsExactlyInAnyOrder("messaging.system", "messaging.operation.name", "error.type");
        }
        assertThat(registry.get("messaging.client.sent.messages")
                        .tag("error.type", "java.lang.IllegalStateException")
                        .tag("messaging.operation.name", "send")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("messaging.process.duration")
                        .tag("error.type", "")
                        .tag("messaging.system", "kafka")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.scrape())
                .contains("messaging_client_operation_duration_seconds_bucket{", "le=\"0.025\"")
                .doesNotContain("secret");
    }

    @Test
    void isUsedAsDocumented() throws IOException {
        OutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
        Destination kafka = new RecordingDestination("kafka");
        // snippet: conventions
        MessagingMetrics conventions = new MessagingMetrics(registry, name -> "kafka");
        RelayBuilder relay = Relay.builder(store, kafka).listener(conventions);
        // end
        assertThat(relay).isNotNull();
        String source = Files.readString(
                Path.of("src", "test", "java", "dev", "postrider", "micrometer", "MessagingMetricsTest.java"));
        String start = "// snippet: conventions\n";
        String shown = source.substring(source.indexOf(start) + start.length(), source.indexOf("        // end"));
        assertThat(Files.readString(PAGE))
                .contains("<!-- snippet: conventions -->\n```java\n"
                        + shown.stripTrailing().stripIndent() + "\n```");
    }

    @Test
    void documentsExactlyWhatIsListed() throws IOException {
        try (Stream<String> lines = Files.lines(PAGE)) {
            assertThat(lines.filter(line -> line.startsWith("| `messaging.")))
                    .containsExactly(Stream.of(MessagingMeter.values())
                            .map(meter -> "| `%s` | %s | %s |"
                                    .formatted(
                                            meter.meterName(),
                                            meter.kind() == PostriderMeter.Kind.COUNTER ? "counter" : "timer",
                                            meter.description()))
                            .toArray(String[]::new));
        }
    }
}
