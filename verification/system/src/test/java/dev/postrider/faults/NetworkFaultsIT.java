package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.prove.write.Writers;
import dev.postrider.servers.ProxiedConnection;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.servers.TcpFaultProxy.Direction;
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
            RelayProcess cut =
                    scene.startRelay(scene.settings("cut").url(Addresses.through(toRelay, scene.database())));
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

    /** A firewall that forgets connections: nothing arrives any more, and nobody is told. New connections work. */
    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void goesOnWhenItsConnectionsDieSilently(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared());
                TcpFaultProxy proxy = Addresses.proxyTo(scene.database())) {
            RelayProcess alone =
                    scene.startRelay(scene.settings("alone").url(Addresses.through(proxy, scene.database())));
            scene.awaitAllLanesOwnedBy(alone.awaitStarted());
            Writers writers = scene.startWriters(Plans.usual());
            scene.awaitTraffic();

            for (ProxiedConnection connection : proxy.connections()) {
                connection.hold(Direction.TO_CLIENT);
                connection.hold(Direction.TO_SERVER);
            }

            scene.awaitTraffic();
            writers.stop();
            scene.awaitDrained().requireExact();
            assertThat(alone.events(RelayEvent.STALLED)).isEmpty();
        }
    }

    private static HikariDataSource pool(Database database, TcpFaultProxy proxy) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(Addresses.through(proxy, database));
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        return pool;
    }
}
