package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.ShiftedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays whose wall clocks are an hour fast and an hour slow, beside one whose clock is right. */
class ClockIT {

    private static final Duration HOUR = Duration.ofHours(1);

    /** Far from an hour, and so long that a busy machine does not lose one. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final Duration WAIT = Duration.ofSeconds(2);

    /** Enough that each relay has some. */
    private static final int KEYS = 60;

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void wrongClocksStealNoLeasesAndMoveNoDueTimes(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            start(scene, "right", Duration.ZERO);
            start(scene, "fast", HOUR);
            start(scene, "slow", HOUR.negated());
            scene.awaitEqualShares(3);
            List<Long> epochs = scene.tables().epochs();
            long start = System.nanoTime();
            Map<String, Long> refusedAt = new ConcurrentHashMap<>();
            scene.broker()
                    .answer(delivery -> delivery.key().startsWith("delayed")
                                    || refusedAt.putIfAbsent(delivery.id(), delivery.at()) != null
                            ? Answer.ACKNOWLEDGE
                            : Answer.RETRY);

            scene.enqueue(Scene.TOPIC, 1, keys("retried"), 1);
            scene.enqueueDelayed(keys("delayed"), WAIT);

            scene.awaitArrivals(2 * KEYS);
            for (Delivery delivery : scene.broker().deliveries()) {
                long since = refusedAt.getOrDefault(delivery.id(), start);
                assertThat(Duration.ofNanos(delivery.at() - since))
                        .as("%s", delivery)
                        .isGreaterThanOrEqualTo(WAIT);
            }
            assertThat(scene.broker().deliveries().stream().map(Delivery::relay))
                    .contains("right", "fast", "slow");
            assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
            // Every relay looks for lanes to take about once a second.
            Eventually.pause(Duration.ofSeconds(2));
            assertThat(scene.tables().epochs()).as("no lease has changed hands").isEqualTo(epochs);
        }
    }

    private static void start(Scene scene, String name, Duration shift) {
        Map<String, String> environment = shift.isZero() ? Map.of() : ShiftedClock.environment(shift);
        RelaySettings settings = scene.settings(name).lease(LEASE).backoff(WAIT);
        RelayProcess relay = scene.startRelay(settings, Scene.HEAP, environment).awaitStarted();
        Duration off = Duration.between(Instant.now(), relay.clockAtStart());
        assertThat(off.minus(shift).abs())
                .as("the clock is off by what was wanted")
                .isLessThan(HOUR.dividedBy(4));
    }

    private static List<String> keys(String prefix) {
        return IntStream.range(0, KEYS).mapToObj(i -> prefix + "-" + i).toList();
    }
}
