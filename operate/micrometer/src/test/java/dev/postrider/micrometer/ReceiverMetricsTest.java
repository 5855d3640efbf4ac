package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReceiverMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReceiverMetrics metrics = new ReceiverMetrics(registry);

    /** As the page of all meters shows it; see {@link PostriderMeterTest}. */
    static String row(ReceiverMeter meter) {
        String tags = String.join(", ", meter.tags());
        return "| `%s` | %s | %s | %s |"
                .formatted(meter.meterName(), kindOf(meter), tags.isEmpty() ? "-" : tags, meter.description());
    }

    private static String kindOf(ReceiverMeter meter) {
        return meter.kind().name().toLowerCase(Locale.ROOT);
    }

    @Test
    void countsForEachReceiverApart() {
        metrics.received("kafka/billing");
        metrics.received("kafka/billing");
        metrics.handled("kafka/billing", Duration.ofMillis(40));
        metrics.failed("kafka/billing", Duration.ofMillis(60));
        metrics.retried("kafka/billing");
        metrics.parked("search");

        assertThat(count("kafka/billing", ReceiverMeter.RECEIVED)).isEqualTo(2);
        assertThat(count("kafka/billing", ReceiverMeter.RETRIED)).isEqualTo(1);
        assertThat(count("kafka/billing", ReceiverMeter.PARKED)).isZero();
        assertThat(count("search", ReceiverMeter.PARKED)).isEqualTo(1);
        assertThat(handlingMillis("handled")).isEqualTo(40);
        assertThat(handlingMillis("failed")).isEqualTo(60);
    }

    private double count(String receiver, ReceiverMeter meter) {
        return registry.get(meter.meterName())
                .tag("receiver", receiver)
                .counter()
                .count();
    }

    private double handlingMillis(String outcome) {
        return registry.get(ReceiverMeter.HANDLING.meterName())
                .tags("receiver", "kafka/billing", "outcome", outcome)
                .timer()
                .totalTime(java.util.concurrent.TimeUnit.MILLISECONDS);
    }

    @Test
    void registersExactlyWhatIsListedWithKindAndTags() {
        metrics.received("search");

        assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
                .containsOnly(Stream.of(ReceiverMeter.values())
                        .map(ReceiverMeter::meterName)
                        .toArray(String[]::new));
        for (ReceiverMeter listed : ReceiverMeter.values()) {
            Meter.Id id = registry.get(listed.meterName()).meter().getId();
            assertThat(id.getType().name()).isEqualTo(listed.kind().name());
            assertThat(id.getDescription()).isEqualTo(listed.description());
            assertThat(id.getTags())
                    .extracting(Tag::getKey)
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(Stream.of(ReceiverMeter.RECEIVER_TAG), listed.tags().stream())
                                    .toList());
        }
    }
}
