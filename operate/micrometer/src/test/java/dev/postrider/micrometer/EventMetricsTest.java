package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.bus.interceptor.BusMetrics.Outcome;
import dev.postrider.bus.interceptor.MetricsInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.spi.Receiver;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventMetricsTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);
    private static final CodecRegistry CODECS = CodecRegistry.of(JsonCodec.withDefaults());

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** As the page of all meters shows it; see {@link PostriderMeterTest}. */
    static String row(EventMeter meter) {
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        meter.meterName(),
                        meter.kind().name().toLowerCase(Locale.ROOT),
                        String.join(", ", meter.tags()),
                        meter.description());
    }

    @Test
    void countsWhatIsPublishedAndHandledByTypeAndOutcome() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(2);
        MemoryDestination broker = MemoryDestination.named("broker");
        MetricsInterceptor metrics = new MetricsInterceptor(new EventMetrics(registry));
        EventPublishers publishers =
                EventPublishers.builder(CODECS).intercept(metrics).build();
        try (Subscriber subscriber = Subscriber.builder("search", broker.receiver("search"), CODECS)
                .intercept(metrics)
                .build()) {
            subscriber.register(CREATED, (title, context) -> {
                arrived.countDown();
                if (title.isEmpty()) {
                    throw new UnprocessableEventException("no title");
                }
            });
            subscriber.start();
            publishers.to(broker).publish(CREATED, "Ulysses");
            publishers.to(broker).publish(CREATED, "");
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        }
        broker.close();
        assertThatThrownBy(() -> publishers.to(broker).publish(CREATED, "Dubliners"));

        assertThat(count(EventMeter.PUBLISHED, "success")).isEqualTo(2);
        assertThat(count(EventMeter.PUBLISHED, "failure")).isEqualTo(1);
        assertThat(count(EventMeter.HANDLED, "success")).isEqualTo(1);
        assertThat(count(EventMeter.HANDLED, "unprocessable")).isEqualTo(1);
    }

    private long count(EventMeter meter, String outcome) {
        return registry.get(meter.meterName())
                .tags("type", CREATED.name(), "outcome", outcome)
                .timer()
                .count();
    }

    @Test
    void registersExactlyWhatIsListedWithKindAndTags() {
        EventMetrics metrics = new EventMetrics(registry);
        metrics.published("a.B", Outcome.FAILURE, Duration.ofMillis(20));
        metrics.handled("search", "a.B", Outcome.SUCCESS, Duration.ofMillis(30));

        assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
                .containsExactlyInAnyOrderElementsOf(Stream.of(EventMeter.values())
                        .map(EventMeter::meterName)
                        .toList());
        for (EventMeter listed : EventMeter.values()) {
            Meter.Id id = registry.get(listed.meterName()).meter().getId();
            assertThat(id.getType().name()).isEqualTo(listed.kind().name());
            assertThat(id.getDescription()).isEqualTo(listed.description());
            assertThat(id.getTags()).extracting(Tag::getKey).containsExactlyInAnyOrderElementsOf(listed.tags());
        }
        assertThat(registry.get(EventMeter.HANDLED.meterName())
                        .tag("subscriber", "search")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
    }

    @Test
    void makesNoMetersForTypesWithoutEnd() {
        EventMetrics metrics = new EventMetrics(registry);
        for (int i = 0; i < EventMetrics.MAX_TYPES + 5; i++) {
            metrics.handled("all", "made.Up" + i, Outcome.SUCCESS, Duration.ZERO);
        }

        assertThat(registry.getMeters()).hasSize(EventMetrics.MAX_TYPES + 1);
        assertThat(registry.get(EventMeter.HANDLED.meterName())
                        .tag("type", "other")
                        .timer()
                        .count())
                .isEqualTo(5);
    }

    @Test
    void documentsCodeThatWasCompiled() throws IOException {
        CodecRegistry codecs = CODECS;
        Receiver receiver = MemoryDestination.named("broker").receiver("search");
        // snippet: events
        MetricsInterceptor metrics = new MetricsInterceptor(new EventMetrics(registry));
        EventPublishers publishers =
                EventPublishers.builder(codecs).intercept(metrics).build();
        Subscriber subscriber = Subscriber.builder("search", receiver, codecs)
                .intercept(metrics)
                .build();
        // end
        subscriber.close();
        assertThat(publishers).isNotNull();

        String source = Files.readString(Path.of("src/test/java/dev/postrider/micrometer/EventMetricsTest.java"));
        String shown = source.substring(source.indexOf("// snippet: events\n") + 19, source.indexOf("        // end"));
        assertThat(Files.readString(Path.of("..", "..", "docs", "reference", "metrics.md")))
                .contains("```java\n" + shown.stripTrailing().stripIndent() + "\n```");
    }
}
