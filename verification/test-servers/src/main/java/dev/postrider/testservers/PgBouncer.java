package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * PgBouncer in front of a PostgreSQL server: each transaction may run on another connection of the server, and no
 * session state survives it. Close it to end it; one that is forgotten ends with the build.
 *
 * <pre>{@code
 * try (PgBouncer pooler = PgBouncer.start(Servers.postgres(), PgBouncer.PoolMode.TRANSACTION)) {
 *     DataSource dataSource = pooler.dataSource(database.name());
 * }
 * }</pre>
 */
public final class PgBouncer implements AutoCloseable {

    /** When a connection of the server goes back to the pool. */
    public enum PoolMode {
        /** When the client disconnects. */
        SESSION,
        /** At the end of each transaction. */
        TRANSACTION,
        /** After each statement; transactions of several statements are refused. */
        STATEMENT
    }

    private final DatabaseServer pooled;
    private final Instance instance;

    private PgBouncer(DatabaseServer pooled, Instance instance) {
        this.pooled = pooled;
        this.instance = instance;
    }

    /** Starts PgBouncer in front of that server and returns when it accepts connections. */
    public static PgBouncer start(DatabaseServer server, PoolMode mode) {
        if (server.kind() != DatabaseKind.POSTGRES) {
            throw new IllegalArgumentException("PgBouncer speaks to PostgreSQL only, not to " + server);
        }
        Installation installation = installation();
        ServerDirectory directory = BuildDirectory.current().fresh("pgbouncer");
        int port = FreePort.pick();
        Path configuration = write(directory, configuration(server, mode, port));
        installation.runner().handOver(directory.path());
        List<String> command = installation.command(installation.program(), List.of(configuration.toString()));
        var instance = new ProcessInstance(installation, directory, command, new EndSignals("INT", "TERM"));
        var pooled = new DatabaseServer(
                DatabaseKind.POSTGRES, server.address().atPort(port), "behind PgBouncer " + installation.origin());
        instance.start();
        ReadyCheck.await(pooled, instance);
        System.err.println("Test server: " + pooled.description());
        return new PgBouncer(pooled, instance);
    }

    /** New connections through the pooler to the named database, by the plain driver. */
    public DataSource dataSource(String database) {
        return pooled.dataSource(database);
    }

    /** The URL of the named database through the pooler, without user and password. */
    public String jdbcUrl(String database) {
        return pooled.jdbcUrl(database);
    }

    /** The port on which the pooler listens. */
    public int port() {
        return pooled.port();
    }

    @Override
    public void close() {
        instance.discard();
    }

    private static Installation installation() {
        try {
            Path program = InstalledProgram.find("pgbouncer", List.of(Path.of("/usr/sbin")));
            return new Installation(
                    "installed as " + program, program.getParent().getParent(), program, Runner.withoutRoot());
        } catch (ServerUnavailableException notInstalled) {
            DebianPackage unpacked = DebianPackage.unpack("own", "pgbouncer");
            Path home = unpacked.root().resolve("usr");
            return new Installation(
                    "of Debian",
                    home,
                    home.resolve("sbin/pgbouncer"),
                    Runner.withoutRoot().then(unpacked.loader()));
        }
    }

    private static String configuration(DatabaseServer server, PoolMode mode, int port) {
        return """
                [databases]
                * = host=%s port=%d user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                default_pool_size = 20
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        server.host(),
                        server.port(),
                        server.user(),
                        server.password(),
                        port,
                        mode.name().toLowerCase(Locale.ROOT));
    }

    private static Path write(ServerDirectory directory, String configuration) {
        try {
            return Files.writeString(directory.path().resolve("pgbouncer.ini"), configuration);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
