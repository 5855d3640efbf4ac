package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the meters show of a real relay. */
@Timeout(60)
abstract class RelayMetricsContract {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecordingDestination broker = new RecordingDestination("broker");
    private PostriderMetrics metrics;

    abstract OutboxStore store();

    abstract DataSource dataSource();

    @BeforeEach
    void open() {
        metrics = PostriderMetrics.builder(store(), registry)
                .statsInterval(Duration.ofMillis(100))
                .build();
    }

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void countsAndTimesDeliveries() {
        enqueue("a", "b", "c");
        whileRunning(relay(), relay -> {
            await(() -> count("postrider.messages.delivered", "destination", "broker") == 3);
            await(() -> summary("postrider.settle.rows") == 3);
            await(() -> timer("postrider.fetch", "outcome", "empty").count() > 0);
        });

        assertThat(timer("postrider.send", "destination", "broker", "outcome", "delivered")
                        .count())
                .isEqualTo(3);
        Timer delay = timer("postrider.delivery.delay", "destination", "broker");
        assertThat(delay.count()).isEqualTo(3);
        assertThat(delay.totalTime(TimeUnit.NANOSECONDS)).isPositive();
        assertThat(Arrays.stream(delay.takeSnapshot().histogramCounts()).mapToDouble(CountAtBucket::count))
                .hasSizeGreaterThan(10)
                .endsWith(3.0);
        assertThat(summary("postrider.fetch.rows")).isEqualTo(3);
        assertThat(timer("postrider.fetch", "outcome", "rows").count()).isPositive();
        assertThat(timer("postrider.settle", "outcome", "recorded").count()).isPositive();
        assertThat(count("postrider.messages.failed", "destination", "broker", "outcome", "retry"))
                .isZero();
    }

    @Test
    void countsFailuresRetriesAndWhoIsHeld() {
        enqueue("a", "a");
        broker.answerNext(DeliveryResult.retry("busy"), DeliveryResult.retry("busy"));
        whileRunning(relay(), relay -> {
            await(() -> count("postrider.messages.delivered", "destination", "broker") == 2);
        });

        assertThat(count("postrider.messages.failed", "destination", "broker", "outcome", "retry"))
                .isEqualTo(2);
        assertThat(count("postrider.messages.retried", "destination", "broker")).isEqualTo(2);
        assertThat(count("postrider.messages.held", "destination", "broker", "reason", "retry"))
                .isEqualTo(2);
        assertThat(count("postrider.messages.held", "destination", "broker", "reason", "behind"))
                .isEqualTo(1);
        assertThat(timer("postrider.send", "destination", "broker", "outcome", "retry")
                        .count())
                .isEqualTo(2);
    }

    @Test
    void countsTheDeadByReason() {
        enqueue("a", "b");
        broker.answer(message ->
                message.key().orElseThrow().equals("a") ? DeliveryResult.reject("bad") : DeliveryResult.retry("busy"));
        whileRunning(relay().maxAttempts(2), relay -> await(() -> gauge("postrider.outbox.dead") == 2));

        assertThat(count("postrider.messages.dead", "destination", "broker", "reason", "rejected"))
                .isEqualTo(1);
        assertThat(count("postrider.messages.dead", "destination", "broker", "reason", "attempts_exhausted"))
                .isEqualTo(1);
    }

    @Test
    void showsWhichLanesAreOwnedWhileTheRelayRuns() {
        assertThat(gauge("postrider.lanes.owned")).isZero();
        whileRunning(relay(), relay -> {
            await(() -> gauge("postrider.lanes.owned") == 4);
            await(() -> count("postrider.lanes.taken") == 4);
        });

        assertThat(gauge("postrider.lanes.owned")).isZero();
        assertThat(count("postrider.lanes.lost")).isZero();
    }

    @Test
    void showsAPause() {
        whileRunning(relay(), relay -> {
            relay.pause("broker");
            await(() -> gauge("postrider.destination.paused", "destination", "broker") == 1);
            relay.resume("broker");
            await(() -> gauge("postrider.destination.paused", "destination", "broker") == 0);
        });
    }

    @Test
    void showsAnOutageThatIsNoFailure() {
        enqueue("a");
        broker.setHealth(Health.down("refused"));
        broker.answerNext(DeliveryResult.outage("refused"));
        whileRunning(relay(), relay -> {
            await(() -> gauge("postrider.destination.down", "destination", "broker") == 1);
            broker.setHealth(Health.UP);
            await(() -> count("postrider.messages.delivered", "destination", "broker") == 1);
            await(() -> gauge("postrider.destination.down", "destination", "broker") == 0);
        });

        assertThat(count("postrider.outages", "destination", "broker")).isEqualTo(1);
        assertThat(timer("postrider.send", "destination", "broker", "outcome", "outage")
                        .count())
                .isEqualTo(1);
        assertThat(count("postrider.messages.failed", "destination", "broker", "outcome", "outage"))
                .isZero();
    }

    @Test
    void showsTheBacklog() {
        enqueue("a", "b");
        Outbox.withDefaults(store())
                .inTransaction(
                        dataSource(),
                        tx -> tx.enqueue(OutboxMessage.builder("t")
                                .type("x")
                                .deliverAfter(Duration.ofHours(1))
                                .build()));

        await(() -> gauge("postrider.outbox.undelivered") == 2 && gauge("postrider.outbox.delayed") == 1);
        await(() -> gauge("postrider.outbox.oldest.age") > 0);
        assertThat(gauge("postrider.outbox.held")).isZero();
        assertThat(gauge("postrider.outbox.kept")).isZero();
    }

    @Test
    void takesItsGaugesAwayWhenClosed() {
        metrics.close();

        assertThat(registry.find("postrider.outbox.undelivered").gauge()).isNull();
        assertThat(registry.find("postrider.lanes.owned").gauge()).isNull();
    }

    private RelayBuilder relay() {
        return Relay.builder(store(), broker)
                .listener(metrics.relayListener())
                .backoff(Backoff.constant(Duration.ofMillis(5)))
                .outageBackoff(Backoff.constant(Duration.ofMillis(5)))
                .housekeepingInterval(Duration.ofMillis(10))
                .lease(Duration.ofSeconds(4));
    }

    private static void whileRunning(RelayBuilder builder, Consumer<Relay> test) {
        try (Relay relay = builder.build()) {
            relay.start();
            test.accept(relay);
        }
    }

    private void enqueue(String... keys) {
        Outbox.withDefaults(store()).inTransaction(dataSource(), tx -> {
            for (String key : keys) {
                tx.enqueue(OutboxMessage.builder("t").key(key).type("x").build());
            }
        });
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private Timer timer(String name, String... tags) {
        return registry.get(name).tags(tags).timer();
    }

    private double summary(String name) {
        return registry.get(name).summary().totalAmount();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private static void await(BooleanSupplier condition) {
        try {
            while (!condition.getAsBoolean()) {
                Thread.sleep(2);
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
