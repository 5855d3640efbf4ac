package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays that come and go as they should: lanes change hands at once, and nothing is delivered twice. */
class CleanCloseIT {

    /** So long that no hand-over in this test comes from its end. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    /** Far from what waiting for a lease takes, and generous to a busy machine. */
    private static final Duration AT_ONCE = LEASE.dividedBy(20);

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void handsLanesOverWithoutWaitingForALeaseAndWithoutDuplicates(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            RelayProcess stays = start(scene, "stays");
            Writers writers = scene.startWriters(WriterPlan.usual());
            List<Duration> ownerless = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                RelayProcess goes = start(scene, "goes-" + round);
                scene.awaitAllLanesOwnedBy(stays, goes);
                scene.awaitTraffic();
                goes.closeCleanly();
                ownerless.add(scene.awaitAllLanesOwnedBy(stays));
            }
            writers.stop();
            assertThat(Collections.min(ownerless)).isLessThan(AT_ONCE);
            assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES"})
    void threeRelaysShareTheLanesUnderLoadWithoutDuplicates(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            start(scene, "first");
            Writers writers = scene.startWriters(WriterPlan.usual());
            start(scene, "second");
            start(scene, "third");
            scene.awaitEqualShares(3);
            scene.awaitTraffic();
            writers.stop();
            assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
        }
    }

    private static RelayProcess start(Scene scene, String name) {
        return scene.startRelay(scene.settings(name).lease(LEASE)).awaitStarted();
    }
}
