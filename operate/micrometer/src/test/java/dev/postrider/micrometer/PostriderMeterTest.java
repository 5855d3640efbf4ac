package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.maintenance.Expired;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The meters that exist, those that are listed and those that are documented are the same. */
class PostriderMeterTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "metrics.md");
    private static final OutboxMessage MESSAGE = OutboxMessage.builder("secret-topic")
            .key("secret-key")
            .type("secret-type")
            .build();
    private static final Attempt ATTEMPT = new Attempt("broker", 3, MESSAGE, 2, 1);

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());

    @Test
    void registersExactlyWhatIsListedWithKindAndTags() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (PostriderMetrics metrics = PostriderMetrics.of(store, registry)) {
            tellEverything(metrics);

            Map<String, List<Meter>> registered = registry.getMeters().stream()
                    // A registry that cannot ship histograms makes gauges of their buckets.
                    .filter(meter -> meter.getId().syntheticAssociation() == null)
                    .collect(Collectors.groupingBy(meter -> meter.getId().getName()));
            assertThat(registered.keySet())
                    .containsExactlyInAnyOrderElementsOf(Stream.of(PostriderMeter.values())
                            .map(PostriderMeter::meterName)
                            .toList());
            for (PostriderMeter listed : PostriderMeter.values()) {
                assertThat(registered.get(listed.meterName()))
                        .allSatisfy(meter -> checkKindAndTags(listed, meter.getId()));
            }
        }
    }

    private static void checkKindAndTags(PostriderMeter listed, Meter.Id id) {
        assertThat(id.getType().name())
                .as(listed.meterName())
                .isEqualTo(
                        switch (listed.kind()) {
                            case COUNTER -> "COUNTER";
                            case TIMER -> "TIMER";
                            case SUMMARY -> "DISTRIBUTION_SUMMARY";
                            case GAUGE, TIME_GAUGE -> "GAUGE";
                        });
        assertThat(id.getDescription()).isEqualTo(listed.description());
        assertThat(id.getTags())
                .extracting(Tag::getKey)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(Stream.of("outbox"), listed.tags().stream())
                        .toList());
    }

    @Test
    void documentsExactlyWhatIsListed() throws IOException {
        List<String> rows;
        try (Stream<String> lines = Files.lines(PAGE)) {
            rows = lines.filter(line -> line.matches("\\| `postrider[a-z.]*` \\|.*"))
                    .toList();
        }

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Stream.of(
                                Stream.of(PostriderMeter.values()).map(PostriderMeterTest::row),
                                Stream.of(ReceiverMeter.values()).map(ReceiverMetricsTest::row),
                                Stream.of(EventMeter.values()).map(EventMetricsTest::row))
                        .flatMap(each -> each)
                        .toList());
    }

    private static String row(PostriderMeter meter) {
        String kind = switch (meter.kind()) {
            case COUNTER -> "counter";
            case TIMER -> "timer";
            case SUMMARY -> "summary";
            case GAUGE -> "gauge";
            case TIME_GAUGE -> "gauge, time";
        };
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        meter.meterName(),
                        kind,
                        meter.tags().isEmpty() ? "-" : String.join(", ", meter.tags()),
                        meter.description());
    }

    @Test
    void documentsTheNamesThatPrometheusShows() throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (PostriderMetrics metrics = PostriderMetrics.of(store, registry)) {
            tellEverything(metrics);
            String scrape = registry.scrape();
            String page = Files.readString(PAGE);

            for (String name : List.of(
                    "postrider_messages_delivered_total",
                    "postrider_delivery_delay_seconds_bucket",
                    "postrider_send_seconds_count",
                    "postrider_fetch_rows_sum",
                    "postrider_outbox_undelivered",
                    "postrider_outbox_oldest_age_seconds")) {
                assertThat(scrape).contains("\n" + name + "{");
                assertThat(page).contains(name);
            }
        }
    }

    @Test
    void tagsNothingThatGrowsWithTheMessages() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (PostriderMetrics metrics = PostriderMetrics.of(store, registry)) {
            tellEverything(metrics);

            assertThat(registry.scrape())
                    .contains("destination=\"broker\"", "outbox=\"memory\"")
                    .doesNotContain("secret", MESSAGE.id().toString(), "because");
        }
    }

    @Test
    void addsTheUsersTagsToEveryMeter() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (PostriderMetrics metrics = PostriderMetrics.builder(store, registry)
                .tags(Tags.of("team", "orders"))
                .build()) {
            tellEverything(metrics);

            assertThat(registry.getMeters())
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getTag("team")).isEqualTo("orders"));
        }
    }

    @Test
    void documentsCodeThatWasCompiled() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        RecordingDestination billing = new RecordingDestination("billing");
        // snippet: metrics
        PostriderMetrics metrics = PostriderMetrics.of(store, registry);
        Relay watched =
                Relay.builder(store, billing).listener(metrics.relayListener()).build();
        // end
        watched.drainOnce();
        metrics.close();

        String source = Files.readString(Path.of("src/test/java/dev/postrider/micrometer/PostriderMeterTest.java"));
        String shown = source.substring(source.indexOf("// snippet: metrics\n") + 20, source.indexOf("        // end"));
        assertThat(Files.readString(PAGE))
                .contains("```java\n" + shown.stripTrailing().stripIndent() + "\n```");
    }

    /** Every event once. */
    private void tellEverything(PostriderMetrics metrics) {
        RelayListener relay = metrics.relayListener();
        try (Relay running = Relay.builder(store, new RecordingDestination("broker"))
                .listener(relay)
                .build()) {
            running.start();
        }
        Duration took = Duration.ofMillis(3);
        IllegalStateException failure = new IllegalStateException("because");
        relay.fetched(1, 0, took);
        relay.fetched(2, 9, took);
        relay.delivered(ATTEMPT, took, took);
        relay.failed(ATTEMPT, new DeliveryResult.Retry("because", Optional.empty()), took);
        relay.failed(ATTEMPT, new DeliveryResult.Reject("because", Optional.empty()), took);
        relay.failed(ATTEMPT, new DeliveryResult.Outage("because", Optional.empty()), took);
        relay.notReached(ATTEMPT, new DeliveryResult.Outage("because", Optional.empty()), took);
        relay.held(ATTEMPT, took);
        relay.heldBehind(ATTEMPT);
        relay.blocked(ATTEMPT, "because");
        relay.dead(ATTEMPT, DeadReason.REJECTED, "because");
        relay.unroutable(3, MESSAGE, "because");
        relay.unreadable(3, new MessageId(1, 2), "because");
        relay.settled(9, took);
        relay.settleRefused(3, 9, took);
        relay.outage("broker", "because", took);
        relay.slow("broker", 10);
        relay.laneTaken(3, 1);
        relay.laneLost(3);
        relay.overdue(ATTEMPT, took);
        Stream.of(StoreOperation.values()).forEach(operation -> relay.storeFailed(operation, failure, took));
        relay.sweepFoundMissed(3, 9);
        relay.stalled("worker", took);
        relay.classifierFailed(ATTEMPT, failure);
        relay.crashed("worker", failure);
        tellEverything(metrics.maintenanceListener(), failure);
    }

    private static void tellEverything(MaintenanceListener maintenance, RuntimeException failure) {
        Partition partition = new Partition("p1", Instant.MIN, Instant.MAX);
        Stream.of(Expired.values()).forEach(what -> maintenance.deleted(what, 5, 5));
        maintenance.partitionCreated(partition);
        maintenance.partitionDropped(partition);
        maintenance.partitionPostponed(partition);
        maintenance.partitionSkipped(partition);
        maintenance.failed("cleanup", failure);
    }
}
