package dev.postrider.faults;

import dev.postrider.prove.write.Writers;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.testservers.NotOnTidb;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays in separate processes that are killed, stopped and continued under load. */
class ProcessFaultsIT {

    private static final int ROUNDS = 2;

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void losesNothingAndKeepsOrderWhileRelaysAreKilledStoppedAndClosed(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            Deque<RelayProcess> relays = new ArrayDeque<>();
            relays.add(scene.startRelay("first").awaitStarted());
            relays.add(scene.startRelay("second").awaitStarted());
            Writers writers = scene.startWriters(Plans.usual());

            for (int round = 0; round < ROUNDS; round++) {
                RelayProcess third = scene.startRelay("third-" + round).awaitStarted();
                scene.awaitTraffic();
                relays.poll().kill();
                RelayProcess stopped = relays.poll();
                stopped.freeze();
                scene.awaitAllLanesOwnedBy(third);
                RelayProcess fourth = scene.startRelay("fourth-" + round).awaitStarted();
                stopped.thaw();
                scene.awaitTraffic();
                stopped.closeCleanly();
                relays.add(third);
                relays.add(fourth);
            }

            writers.stop();
            scene.awaitDrained().requireExact();
        }
    }

    /** The server ends a transaction that stands still, else nobody could ever take the lanes that it has locked. */
    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    @NotOnTidb("this test sees locks by SKIP LOCKED, which TiDB ignores")
    void lanesOfAProcessStoppedInsideATransactionAreTakenOver(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared());
                TcpFaultProxy slowWay = Addresses.proxyTo(scene.database())) {
            RelayProcess stopped = scene.startRelay(
                            scene.settings("stopped").url(Addresses.through(slowWay, scene.database())))
                    .awaitStarted();
            scene.awaitAllLanesOwnedBy(stopped);
            // Makes it likely that a transaction is open at any moment.
            slowWay.delay(Duration.ofMillis(20));
            Eventually.holds("it was stopped inside a transaction", () -> isStoppedWithLaneLocked(scene, stopped));

            RelayProcess successor = scene.startRelay("successor").awaitStarted();

            scene.awaitAllLanesOwnedBy(successor);
        }
    }

    private static boolean isStoppedWithLaneLocked(Scene scene, RelayProcess relay) {
        relay.freeze();
        boolean isLocked = scene.tables().isAnyLaneLocked();
        if (!isLocked) {
            relay.thaw();
        }
        return isLocked;
    }
}
