package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.testkit.InMemoryOutboxStore;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageExemplarsTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "metrics.md");

    // snippet: exemplars
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(
            PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new MessageExemplars());
    // end

    /** In the format that has exemplars. */
    private String delivered(String traceParent) {
        OutboxMessage message = OutboxMessage.builder("t")
                .type("x")
                .header("traceparent", traceParent)
                .build();
        try (PostriderMetrics metrics =
                PostriderMetrics.of(new InMemoryOutboxStore(4, java.time.Clock.systemUTC()), registry)) {
            metrics.relayListener()
                    .delivered(new Attempt("broker", 3, message, 1, 1), Duration.ofMillis(20), Duration.ofMillis(4));
            return registry.scrape("application/openmetrics-text; version=1.0.0; charset=utf-8");
        }
    }

    @Test
    void isMadeAsDocumented() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "dev", "postrider", "micrometer", "MessageExemplarsTest.java"));
        String shown = source.substring(
                source.indexOf("// snippet: exemplars\n") + "// snippet: exemplars\n".length(),
                source.indexOf("    // end"));

        assertThat(Files.readString(PAGE))
                .contains("<!-- snippet: exemplars -->\n```java\n"
                        + shown.stripTrailing().stripIndent().replace("private final ", "") + "\n```");
    }

    @Test
    void namesTheTraceOfAMessageBesideItsBucket() {
        assertThat(delivered("00-" + TRACE + "-" + SPAN + "-01").lines())
                .filteredOn(line -> line.contains(TRACE) && line.contains("_bucket"))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("postrider_delivery_delay_seconds_bucket{")
                        .contains("le=\"0.025\"", "span_id=\"" + SPAN + "\"", "trace_id=\"" + TRACE + "\"", " 0.02 "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00-" + TRACE + "-" + SPAN + "-00", "no trace", "00-" + TRACE})
    void showsNoTraceThatNobodyKeepsOrCanRead(String traceParent) {
        assertThat(delivered(traceParent))
                .contains("postrider_delivery_delay_seconds_bucket{")
                .doesNotContain(TRACE);
    }
}
