package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.ShiftedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays whose wall clocks are wrong or step while they run, beside one whose clock is right. */
class ClockIT {

    private static final Duration HOUR = Duration.ofHours(1);

    /** Far from an hour, and long enough that a busy machine does not lose one. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final Duration WAIT = Duration.ofSeconds(2);

    /** Enough that each relay has some. */
    private static final int KEYS = 60;

    private static final int ROUNDS = 4;

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

    /** The clock of a process with relay, destination and service steps by days, to and fro, while everything is in use. */
    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void aClockThatStepsStealsNoLeasesAndMovesNoDueTimes(DatabaseUnderTest kind, @TempDir Path directory) {
        Path shift = directory.resolve("shift");
        ShiftedClock.step(shift, Duration.ZERO);
        Random random = Seed.random("clock");
        try (Scene scene = Scene.on(kind.shared())) {
            RelayProcess stepping = scene.startRelay(
                            settings(scene, "stepping"), Scene.HEAP, ShiftedClock.environment(shift))
                    .awaitStarted();
            start(scene, "right", Duration.ZERO);
            scene.awaitEqualShares(2);
            List<Long> epochs = scene.tables().epochs();
            Map<String, Long> refusedAt = new ConcurrentHashMap<>();
            scene.broker()
                    .answer(delivery -> refusedAt.putIfAbsent(delivery.id(), delivery.at()) != null
                            ? Answer.ACKNOWLEDGE
                            : Answer.RETRY);

            for (int round = 1; round <= ROUNDS; round++) {
                Duration step = Duration.ofHours(random.nextInt(200) - 100);
                ShiftedClock.step(shift, step);
                assertThat(Duration.between(Instant.now(), stepping.clock())
                                .minus(step)
                                .abs())
                        .as("the clock is off by what was wanted")
                        .isLessThan(HOUR.dividedBy(4));
                scene.enqueue(Scene.TOPIC, 1, keys("retried"), round);
                scene.awaitArrivals(round * KEYS);
            }

            scene.awaitArrivals(ROUNDS * KEYS);
            assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
            assertNoneIsEarlier(scene, refusedAt);
            long enqueuedAt = System.nanoTime();
            refusedAt.clear();
            scene.broker().answer(delivery -> Answer.ACKNOWLEDGE);
            stepping.enqueueDelayed("late");
            ShiftedClock.step(shift, HOUR.multipliedBy(24));
            Eventually.holds(
                    "the delayed message has arrived",
                    () -> arrival(scene, "late").isPresent());
            assertThat(Duration.ofNanos(arrival(scene, "late").orElseThrow() - enqueuedAt))
                    .isGreaterThanOrEqualTo(RelayMain.DELAY);
            assertThat(scene.tables().epochs()).as("no lease has changed hands").isEqualTo(epochs);
            assertThat(stepping.events(RelayEvent.LANE_LOST)).isEmpty();
            assertThat(stepping.events(RelayEvent.STALLED)).isEmpty();
        }
    }

    private static void assertNoneIsEarlier(Scene scene, Map<String, Long> refusedAt) {
        for (Delivery delivery : scene.broker().deliveries()) {
            assertThat(Duration.ofNanos(delivery.at() - refusedAt.get(delivery.id())))
                    .as("%s", delivery)
                    .isGreaterThanOrEqualTo(WAIT);
        }
    }

    private static Optional<Long> arrival(Scene scene, String key) {
        return scene.broker().deliveries().stream()
                .filter(delivery -> delivery.key().equals(key))
                .map(Delivery::at)
                .findFirst();
    }

    private static RelaySettings settings(Scene scene, String name) {
        return scene.settings(name).lease(LEASE).backoff(WAIT);
    }

    private static void start(Scene scene, String name, Duration shift) {
        Map<String, String> environment = shift.isZero() ? Map.of() : ShiftedClock.environment(shift);
        RelayProcess relay =
                scene.startRelay(settings(scene, name), Scene.HEAP, environment).awaitStarted();
        Duration off = Duration.between(Instant.now(), relay.clockAtStart());
        assertThat(off.minus(shift).abs())
                .as("the clock is off by what was wanted")
                .isLessThan(HOUR.dividedBy(4));
    }

    private static List<String> keys(String prefix) {
        return IntStream.range(0, KEYS).mapToObj(i -> prefix + "-" + i).toList();
    }
}
