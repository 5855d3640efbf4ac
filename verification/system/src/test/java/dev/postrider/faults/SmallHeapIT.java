package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory is bounded by what is in flight, not by the backlog. */
class SmallHeapIT {

    /** Long enough that a busy machine brings about no duplicates by itself. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final int MESSAGES = 80_000;
    private static final int PAYLOAD = 2_000;

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES", "MYSQL"})
    void drainsABacklogLargerThanTheHeap(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            scene.enqueueMany(Scene.TOPIC, PAYLOAD, MESSAGES, 1_000);
            RelaySettings settings =
                    scene.settings("relay").lease(LEASE).batchSize(500).maxInFlight(1_000);
            RelayProcess relay = scene.startRelay(settings.maxInFlightBytes(16 << 20));

            assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
            assertThat(relay.isAlive()).isTrue();
        }
    }
}
