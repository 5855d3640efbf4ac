package dev.postrider.testservers;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The servers that all tests of one build share. Each is started at its first use, once per build and not per JVM, and
 * ends with the build, also with a build that crashed. Which one is in use is printed.
 *
 * <p>The first of these that works is taken: an address in the environment ({@code POSTRIDER_TEST_POSTGRES_URL}, {@code
 * POSTRIDER_TEST_MYSQL_URL}, {@code POSTRIDER_TEST_MARIADB_URL}, {@code POSTRIDER_TEST_TIDB_URL}, {@code POSTRIDER_TEST_RABBITMQ_URI}, {@code
 * POSTRIDER_TEST_NATS_URL}, {@code POSTRIDER_TEST_KAFKA}); a server started from Maven artifacts; an installed program; Debian packages unpacked into a
 * cache; a container. If none works, the test fails and says what to do.
 *
 * <pre>{@code
 * static final Database database = Servers.postgres().createDatabase("relay");
 * DataSource dataSource = database.dataSource();
 * }</pre>
 *
 * <p>Shared servers do not wait for the disk at commit. Tests that crash a server start a private one, see {@link
 * PostgresServer}, {@link MysqlServer}, {@link MariadbServer}, {@link TidbServer}, {@link RabbitmqServer}, {@link NatsServer}, {@link KafkaServer} and
 * {@link KafkaCluster}. Safe for use by several threads and processes.
 */
public final class Servers {
    private static final Map<DatabaseKind, DatabaseServer> IN_USE = new EnumMap<>(DatabaseKind.class);

    private Servers() {}

    /** The PostgreSQL server of this build. */
    public static DatabaseServer postgres() {
        return shared(new PostgresEngine());
    }

    /** The MySQL server of this build; with the profile {@code tidb} a TiDB server. */
    public static DatabaseServer mysql() {
        return isTidbForMysql() ? tidb() : shared(new MysqlEngine());
    }

    /** Whether tests that ask for MySQL get TiDB: the profile {@code tidb} runs everything on TiDB that else runs on MySQL. */
    public static boolean isTidbForMysql() {
        return Boolean.getBoolean("postrider.test.tidb");
    }

    /** Skips the running test with the profile {@code tidb}: it needs another database than MySQL. */
    public static void skipWithTidb() {
        Assumptions.assumeFalse(isTidbForMysql(), "with the profile tidb only what runs on MySQL is run");
    }

    /** The MariaDB server of this build. */
    public static DatabaseServer mariadb() {
        return shared(new MariadbEngine());
    }

    /** The TiDB server of this build: one process with its embedded storage. */
    public static DatabaseServer tidb() {
        return shared(new TidbEngine());
    }

    /** The RabbitMQ node of this build. */
    public static Broker rabbitmq() {
        return SharedBroker.of(new RabbitmqEngine());
    }

    /** The NATS server of this build, with JetStream. */
    public static Broker nats() {
        return SharedBroker.of(new NatsEngine());
    }

    /** The Kafka broker of this build; its address is host and port. */
    public static Broker kafka() {
        return SharedBroker.of(new KafkaEngine(Map.of()));
    }

    private static synchronized DatabaseServer shared(Engine engine) {
        return IN_USE.computeIfAbsent(engine.kind(), kind -> find(engine));
    }

    private static DatabaseServer find(Engine engine) {
        DatabaseServer server = JdbcAddress.fromEnvironment(engine.kind())
                .map(address -> given(engine.kind(), address))
                .orElseGet(() -> SharedServer.of(engine).startOrJoin());
        System.err.println("Test server: " + server.description());
        return server;
    }

    private static DatabaseServer given(DatabaseKind kind, JdbcAddress address) {
        var server = new DatabaseServer(kind, address, "given by " + kind.variable());
        if (!ReadyCheck.accepts(server)) {
            throw new ServerUnavailableException(
                    server.description() + " does not answer: correct the variable, or unset it to have one started");
        }
        return server;
    }
}
