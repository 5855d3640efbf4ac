package dev.postrider.testservers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * A database server that accepts connections, with an administrator's account. Tests share it, so each makes a database
 * of its own with {@link #createDatabase}. Safe for use by several threads.
 */
public class DatabaseServer {
    private final DatabaseKind kind;
    private final JdbcAddress address;
    private final String origin;

    DatabaseServer(DatabaseKind kind, JdbcAddress address, String origin) {
        this.kind = kind;
        this.address = address;
        this.origin = origin;
    }

    /** The URL of the administrator's database, without user and password. */
    public final String jdbcUrl() {
        return address.url();
    }

    /** The URL of another database on this server, without user and password. */
    public final String jdbcUrl(String database) {
        return address.url(database);
    }

    /** The host name or address of this server. */
    public final String host() {
        return address.host();
    }

    /** The TCP port of this server; a private server keeps it over a restart. */
    public final int port() {
        return address.port();
    }

    /** The administrator's name. */
    public final String user() {
        return address.user();
    }

    /** The administrator's password; may be empty. */
    public final String password() {
        return address.password();
    }

    /** New connections of the plain driver to the administrator's database; no pool. */
    public final DataSource dataSource() {
        return dataSource(address.database());
    }

    /** New connections of the plain driver to the named database; no pool. */
    public final DataSource dataSource(String database) {
        try {
            return kind.dataSource(address.url(database), address.user(), address.password());
        } catch (SQLException refused) {
            throw new IllegalArgumentException("The driver refuses " + address.url(database), refused);
        }
    }

    /**
     * Makes an empty database with a name that no one else uses.
     *
     * @param prefix the start of its name: letters, digits and underscores
     */
    public final Database createDatabase(String prefix) {
        String name = "%s_%08x"
                .formatted(prefix, ThreadLocalRandom.current().nextInt())
                .toLowerCase(Locale.ROOT);
        if (!name.matches("[a-z][a-z0-9_]{0,47}")) {
            throw new IllegalArgumentException(
                    "A database name starts with a letter, followed by up to 38 letters, digits and underscores: "
                            + prefix);
        }
        execute("CREATE DATABASE " + name);
        return new Database(this, name);
    }

    /** What this server is, where it comes from and where it listens: for people. */
    public final String description() {
        return "%s %s, %s:%d".formatted(kind.label(), origin, address.host(), address.port());
    }

    final JdbcAddress address() {
        return address;
    }

    /** Where the server comes from, for people. */
    final String origin() {
        return origin;
    }

    final DatabaseKind kind() {
        return kind;
    }

    final void execute(String sql) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(description() + " refused: " + sql, failed);
        }
    }

    @Override
    public final String toString() {
        return description();
    }
}
