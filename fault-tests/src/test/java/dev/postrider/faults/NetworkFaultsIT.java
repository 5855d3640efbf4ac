package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.prove.write.Writers;
import dev.postrider.testkit.ProxiedConnection;
import dev.postrider.testkit.TcpFaultProxy;
import dev.postrider.testkit.TcpFaultProxy.Direction;
import dev.postrider.testservers.Database;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The network between relays or writers and the database fails in every way that a proxy can bring about. */
class NetworkFaultsIT {

    private static final Duration LONGER_THAN_ANY_TIMEOUT = Duration.ofMillis(3_500);
    private static final Duration LONGER_THAN_A_LEASE = Duration.ofMillis(4_500);
    private static final Duration BRIEFLY = Duration.ofMillis(100);

    static {
        // Each cut connection would be reported with its stack trace.
        ((Logger) LoggerFactory.getLogger("com.zaxxer.hikari")).setLevel(Level.OFF);
    }

    private final Random random = Seed.random("network");

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void losesNothingAndKeepsOrderWhileConnectionsAreCutAndAnswersHeld(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared());
                TcpFaultProxy toRelay = Addresses.proxyTo(scene.database());
                TcpFaultProxy toWriters = Addresses.proxyTo(scene.database());
                HikariDataSource writersPool = pool(scene.database(), toWriters)) {
            RelayProcess cut = scene.startRelay(scene.settings("cut").url(address(scene.database(), toRelay)));
            RelayProcess whole = scene.startRelay("whole");
            scene.awaitAllLanesOwnedBy(cut.awaitStarted(), whole.awaitStarted());
            Writers writers = scene.startWriters(Plans.usual(), writersPool);

            for (TcpFaultProxy proxy : List.of(toRelay, toWriters)) {
                scene.awaitTraffic();
                cutInTheMiddleOfTransactions(proxy);
                scene.awaitTraffic();
                holdAnswersUntilClientsGiveUp(proxy);
                scene.awaitTraffic();
                refuseForAWhile(proxy);
            }

            scene.awaitTraffic();
            writers.stop();
            scene.awaitDrained().requireExact();
            cut.closeCleanly();
        }
    }

    /** Resets at any byte, so that it hits every step of a transaction, the answer to its commit included. */
    private void cutInTheMiddleOfTransactions(TcpFaultProxy proxy) {
        for (int i = 0; i < 12; i++) {
            proxy.cutAfter(random.nextBoolean() ? Direction.TO_CLIENT : Direction.TO_SERVER, random.nextInt(3_000));
            Eventually.pause(BRIEFLY);
            proxy.heal();
            Eventually.pause(BRIEFLY);
        }
    }

    /** Commits happen, and their clients never learn of it. */
    private static void holdAnswersUntilClientsGiveUp(TcpFaultProxy proxy) {
        proxy.hold(Direction.TO_CLIENT);
        Eventually.pause(LONGER_THAN_ANY_TIMEOUT);
        proxy.resetAll();
        proxy.heal();
    }

    private static void refuseForAWhile(TcpFaultProxy proxy) {
        proxy.refuse();
        proxy.resetAll();
        Eventually.pause(BRIEFLY);
        proxy.heal();
    }

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES"})
    void lanesOfAWorkerThatHangsInTheDatabaseAreServedByOthers(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared());
                TcpFaultProxy proxy = Addresses.proxyTo(scene.database())) {
            // No time-out: the worker hangs for good. Its relay's other threads go on.
            RelayProcess hangs =
                    scene.startRelay(scene.settings("hangs").url(Addresses.through(proxy, scene.database())));
            RelayProcess well = scene.startRelay("well");
            scene.awaitAllLanesOwnedBy(hangs.awaitStarted(), well.awaitStarted());
            Writers writers = scene.startWriters(Plans.usual());
            scene.awaitTraffic();

            Eventually.holds("a worker hangs", () -> isAWorkerHungByHolding(proxy, hangs));

            scene.awaitTraffic();
            writers.stop();
            scene.awaitDrained().requireExact();
            assertThat(hangs.isAlive()).isTrue();
        }
    }

    /** The relay's threads share their connections: the next one to use a held one hangs, be it a worker or not. */
    private static boolean isAWorkerHungByHolding(TcpFaultProxy proxy, RelayProcess relay) {
        for (ProxiedConnection connection : proxy.connections()) {
            connection.hold(Direction.TO_CLIENT);
            Eventually.pause(LONGER_THAN_A_LEASE);
            if (relay.events(RelayEvent.STALLED).contains("worker")) {
                return true;
            }
            connection.release(Direction.TO_CLIENT);
        }
        return false;
    }

    private static String address(Database database, TcpFaultProxy proxy) {
        return Addresses.withSocketTimeout(Addresses.through(proxy, database));
    }

    private static HikariDataSource pool(Database database, TcpFaultProxy proxy) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(address(database, proxy));
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setConnectionTimeout(2_000);
        pool.setValidationTimeout(1_000);
        return pool;
    }
}
