package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.servers.TcpFaultProxy.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A relay whose message is rejected wants to give it up, but has lost the lane by then. The message must stay where it is, for
 * the successor has sent it already and waits for the answer.
 */
class ZombieIT {

    /** Time enough to stop the relay before it stops waiting for the broker. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(3);

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES"})
    void settlesNothingThatItLearnsAfterItsLease(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            RelayProcess zombie = startAndAwaitLanes(scene, scene.settings("zombie"));
            CompletableFuture<Void> isSent = new CompletableFuture<>();
            CompletableFuture<Void> isStopped = new CompletableFuture<>();
            scene.broker().answer(delivery -> {
                if (!delivery.relay().equals("zombie")) {
                    return Answer.WITHHOLD;
                }
                isSent.complete(null);
                isStopped.join();
                return Answer.REJECT;
            });
            scene.enqueue("key", 1);

            isSent.join();
            zombie.freeze();
            isStopped.complete(null);
            awaitSuccessor(scene, zombie);
            zombie.thaw();

            requireNothingSettled(scene, zombie);
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void settlesNothingByAStatementThatReachesTheDatabaseAfterItsLease(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared());
                TcpFaultProxy way = Addresses.proxyTo(scene.database())) {
            RelayProcess zombie =
                    startAndAwaitLanes(scene, scene.settings("zombie").url(Addresses.through(way, scene.database())));
            scene.broker().answer(delivery -> {
                if (!delivery.relay().equals("zombie")) {
                    return Answer.WITHHOLD;
                }
                way.hold(Direction.TO_SERVER);
                return Answer.REJECT;
            });
            scene.enqueue("key", 1);

            awaitSuccessor(scene, zombie);
            way.heal();

            requireNothingSettled(scene, zombie);
        }
    }

    private static RelayProcess startAndAwaitLanes(Scene scene, RelaySettings settings) {
        RelayProcess relay = scene.startRelay(settings.lease(LEASE).deliveryTimeout(DELIVERY_TIMEOUT))
                .awaitStarted();
        scene.awaitAllLanesOwnedBy(relay);
        return relay;
    }

    /** Returns when another relay has taken over and sent the message as well. */
    private static void awaitSuccessor(Scene scene, RelayProcess zombie) {
        // Else half of the lanes would be left to it until the successor's own, longer lease has passed.
        scene.store().leases().leave(zombie.id());
        scene.startRelay(scene.settings("successor").lease(Duration.ofMinutes(10)));
        scene.awaitArrivals(1);
    }

    private static void requireNothingSettled(Scene scene, RelayProcess zombie) {
        zombie.await(RelayEvent.FAILED);
        zombie.await(RelayEvent.LANE_LOST);
        zombie.closeCleanly();
        assertThat(scene.tables().count("outbox_dead")).as("dead").isZero();
        assertThat(scene.tables().count("outbox_held")).as("held").isZero();
        assertThat(scene.tables().count("outbox")).as("waiting").isOne();
        scene.broker().releaseWithheld();
        assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
    }
}
