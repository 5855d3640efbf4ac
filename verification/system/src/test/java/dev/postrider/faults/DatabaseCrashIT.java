package dev.postrider.faults;

import dev.postrider.prove.write.Writers;
import dev.postrider.testservers.NotOnTidb;
import dev.postrider.testservers.PrivateServer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database dies without farewell and comes back, while relays and writers run. */
class DatabaseCrashIT {

    @NotOnTidb("its embedded storage keeps locks in memory, and loses commits when it is killed")
    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void losesNothingAndKeepsOrderWhenTheDatabaseIsKilledUnderLoad(DatabaseUnderTest kind) {
        try (PrivateServer server = kind.startPrivate();
                Scene scene = Scene.on(server)) {
            scene.startRelay("first").awaitStarted();
            scene.startRelay("second").awaitStarted();
            Writers writers = scene.startWriters(Plans.usual());

            for (int i = 0; i < 2; i++) {
                scene.awaitTraffic();
                server.killHard();
                server.restart();
            }
            scene.awaitTraffic();

            writers.stop();
            scene.awaitDrained().requireExact();
        }
    }

    /** PostgreSQL gives the ids of transactions that left no trace on disk once more: they are no news to a relay's memory. */
    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES"})
    void missesNothingAfterABurstOfRollbacksAndACrash(DatabaseUnderTest kind) {
        try (PrivateServer server = kind.startPrivate();
                Scene scene = Scene.on(server)) {
            scene.startRelay("relay").awaitStarted();
            for (int n = 1; n <= 3; n++) {
                scene.enqueue("key", n);
                scene.awaitArrivals(n);
                try (Rollbacks rollbacks = Rollbacks.start(scene)) {
                    rollbacks.await(2_000);
                    server.killHard();
                }
                server.restart();
            }
            scene.enqueue(Scene.TOPIC, 1, List.of("key", "other"), 4);
            scene.awaitDrained().requireExact();
        }
    }
}
