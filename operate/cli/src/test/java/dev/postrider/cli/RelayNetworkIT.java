package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.servers.ProxiedConnection;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.servers.TcpFaultProxy.Direction;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The relay as it is started for use, while its network is silent or its HTTP clients are slow. */
@Timeout(300)
class RelayNetworkIT {

    private static final int SLOW_CLIENTS = 300;

    @TempDir
    private Path directory;

    enum Kind {
        POSTGRES,
        MYSQL,
        MARIADB;

        private DatabaseServer server() {
            if (this != MYSQL) {
                Servers.skipWithTidb();
            }
            return switch (this) {
                case POSTGRES -> Servers.postgres();
                case MYSQL -> Servers.mysql();
                case MARIADB -> Servers.mariadb();
            };
        }

        private OutboxStore store(HikariDataSource pool) {
            return this == POSTGRES
                    ? PostgresOutboxStore.builder(pool)
                            .lanes(4)
                            .schemaMode(SchemaMode.CREATE)
                            .build()
                    : MysqlOutboxStore.builder(pool)
                            .lanes(4)
                            .schemaMode(SchemaMode.CREATE)
                            .build();
        }
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    private static RelayProcess relay(Path directory, String url, Database database) throws IOException {
        Path config = Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: 0}
                destinations:
                  out: {type: file, path: "%s"}
                outboxes:
                  orders:
                    database: {url: "%s", user: "%s", password: "${DB_PASSWORD}"}
                """.formatted(
                        directory.resolve("delivered.jsonl"), url, database.user()));
        return RelayProcess.start(
                directory, Map.of("DB_PASSWORD", database.password()), "relay", "--config", config.toString());
    }

    private static String through(TcpFaultProxy proxy, Database database) {
        String direct =
                "//" + database.server().host() + ":" + database.server().port() + "/";
        return database.jdbcUrl().replace(direct, "//127.0.0.1:" + proxy.port() + "/");
    }

    /** A firewall that forgets connections: nothing arrives any more, and nobody is told. */
    private static void forget(TcpFaultProxy proxy) {
        for (ProxiedConnection connection : proxy.connections()) {
            connection.hold(Direction.TO_CLIENT);
            connection.hold(Direction.TO_SERVER);
        }
    }

    /** At every default, lease and pool included: half of a lease passes until a silent connection counts as dead. */
    @Test
    void goesOnWhenItsConnectionsDieSilently() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(Kind.values().length);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (Kind kind : Kind.values()) {
                Path own = Files.createDirectory(directory.resolve(kind.name()));
                all.add(threads.submit(() -> goOnWhenConnectionsDieSilently(kind, own)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Void goOnWhenConnectionsDieSilently(Kind kind, Path directory) throws IOException {
        try (Database database = kind.server().createDatabase("silent");
                HikariDataSource pool = pool(database);
                TcpFaultProxy proxy = TcpFaultProxy.to(
                        database.server().host(), database.server().port())) {
            RelayScene scene = new RelayScene(directory, pool, kind.store(pool));
            scene.write(100);
            try (RelayProcess relay = relay(directory, through(proxy, database), database)) {
                relay.await(() -> scene.distinctDelivered() == 100);

                forget(proxy);
                scene.write(1_000);

                relay.await(() -> scene.distinctDelivered() == scene.writtenCount());
                relay.await(() -> relay.get("/ready").startsWith("200"));
            }
            scene.assertDeliveredInOrder();
            return null;
        }
    }

    @Test
    void answersAndEndsSoonWhileItsDatabaseIsSilent() throws IOException {
        try (Database database = Kind.POSTGRES.server().createDatabase("silent");
                HikariDataSource pool = pool(database);
                TcpFaultProxy proxy = TcpFaultProxy.to(
                        database.server().host(), database.server().port())) {
            RelayScene scene = new RelayScene(directory, pool, Kind.POSTGRES.store(pool));
            scene.write(100);
            try (RelayProcess relay = relay(directory, through(proxy, database), database)) {
                relay.await(() -> scene.distinctDelivered() == 100);
                proxy.hold(Direction.TO_CLIENT);
                proxy.hold(Direction.TO_SERVER);

                // A busy machine may delay any one answer.
                relay.await(() -> took(() -> relay.get("/ready")).compareTo(Duration.ofSeconds(1)) < 0
                        && relay.get("/ready").startsWith("503"));
                assertThat(relay.get("/ready")).doesNotContain("jdbc", "127.0.0.1", database.user());

                relay.terminate();
                assertThat(took(relay::exitCode)).isLessThan(Duration.ofSeconds(10));
                assertThat(relay.exitCode()).isEqualTo(143);
            }
        }
    }

    private static Duration took(Runnable task) {
        long start = System.nanoTime();
        task.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void answersWhileOthersAreSlowToAsk() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try (Database database = Kind.POSTGRES.server().createDatabase("slow");
                HikariDataSource pool = pool(database)) {
            Kind.POSTGRES.store(pool);
            try (RelayProcess relay = relay(directory, database.jdbcUrl(), database)) {
                relay.await(() -> relay.get("/ready").startsWith("200"));
                for (int i = 0; i < SLOW_CLIENTS; i++) {
                    slow.add(startSlowly(relay.port()));
                }

                assertThat(Stream.of("/health", "/ready", "/metrics").map(relay::get))
                        .allMatch(answer -> answer.startsWith("200"));
                for (Socket socket : slow) {
                    assertThat(isEnded(socket)).as("a slow client is sent away").isTrue();
                }
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** Sends a part of a request. */
    private static Socket startSlowly(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write("GET /health HT".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Waits for it. */
    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }
}
