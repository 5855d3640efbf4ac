package dev.postrider.service.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A pool of connections to the database of an outbox. Close it. Thread-safe. */
public final class OutboxDatabase implements AutoCloseable {

    private final DatabaseSettings settings;
    private final DataSource pool;
    private final Runnable end;

    private OutboxDatabase(DatabaseSettings settings, DataSource pool, Runnable end) {
        this.settings = settings;
        this.pool = pool;
        this.end = end;
    }

    /**
     * Over connections of somebody else.
     *
     * @param settings the address that these connections have
     * @param end what to do when this is closed
     */
    public static OutboxDatabase over(DatabaseSettings settings, DataSource connections, Runnable end) {
        return new OutboxDatabase(settings, connections, end);
    }

    /**
     * Connects to a database that is there. H2 would create one at a mistyped path, and show it as an empty outbox.
     *
     * @throws DatabaseException if the server cannot be reached or refuses; it is asked before the pool, which would only say
     *     that it has waited
     */
    public static OutboxDatabase open(DatabaseSettings settings) {
        return open(settings, settings.urlOfExisting());
    }

    /** Connects; H2 creates the database if there is none. */
    public static OutboxDatabase openOrCreate(DatabaseSettings settings) {
        return open(settings, settings.url());
    }

    private static OutboxDatabase open(DatabaseSettings settings, String url) {
        check(settings, url);
        HikariConfig config = new HikariConfig();
        config.setPoolName("postrider");
        config.setJdbcUrl(urlOf(settings, url));
        settings.user().ifPresent(config::setUsername);
        settings.password().ifPresent(secret -> config.setPassword(secret.reveal()));
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        config.setValidationTimeout(Math.min(settings.connectTimeout().toMillis(), 5_000));
        config.setInitializationFailTimeout(-1);
        if (settings.kind() == DatabaseKind.POSTGRES) {
            // The other drivers do so by themselves. What the address says goes before this.
            config.addDataSourceProperty("tcpKeepAlive", "true");
        }
        if (url.startsWith("jdbc:mysql:") && !url.toLowerCase(Locale.ROOT).contains("prepstmt")) {
            keepParsedStatements(config);
        }
        HikariDataSource pool = new HikariDataSource(config);
        return new OutboxDatabase(settings, pool, pool::close);
    }

    /**
     * MySQL's driver parses every statement again unless it is told to keep the result, and then keeps none of a statement of more than 256
     * characters. A statement for a batch lists its rows, and has a few thousand.
     */
    private static void keepParsedStatements(HikariConfig config) {
        config.addDataSourceProperty("cachePrepStmts", "true");
        config.addDataSourceProperty("prepStmtCacheSqlLimit", "8192");
    }

    /** Connects once and disconnects. Creates nothing. */
    public static void check(DatabaseSettings settings) {
        check(settings, settings.urlOfExisting());
    }

    private static void check(DatabaseSettings settings, String url) {
        Properties properties = new Properties();
        settings.user().ifPresent(user -> properties.setProperty("user", user));
        settings.password().ifPresent(secret -> properties.setProperty("password", secret.reveal()));
        // Each driver has its own name and unit for it; this is what those that have no own bound obey.
        DriverManager.setLoginTimeout((int) Math.max(
                1, TimeUnit.MILLISECONDS.toSeconds(settings.connectTimeout().toMillis())));
        try (Connection connection = DriverManager.getConnection(urlOf(settings, url), properties)) {
            connection.isValid(1);
        } catch (SQLException failure) {
            throw DatabaseException.of(settings, failure);
        } catch (IllegalArgumentException unreadable) {
            // MySQL's driver, of a percent sign that begins no code.
            throw DatabaseException.of(
                    settings,
                    new SQLException("the driver cannot read the address: " + unreadable.getMessage(), unreadable));
        }
    }

    /**
     * An H2 in this process would close itself on a signal, before the relay has released its lanes. With AUTO_SERVER it refuses
     * to be told otherwise.
     */
    private static String urlOf(DatabaseSettings settings, String url) {
        boolean closesItself = settings.kind() == DatabaseKind.H2
                && !url.toUpperCase(Locale.ROOT).contains("DB_CLOSE_ON_EXIT")
                && !url.toUpperCase(Locale.ROOT).contains("AUTO_SERVER=TRUE")
                && !url.startsWith("jdbc:h2:tcp:")
                && !url.startsWith("jdbc:h2:ssl:");
        return closesItself ? url + ";DB_CLOSE_ON_EXIT=FALSE" : url;
    }

    public DatabaseSettings settings() {
        return settings;
    }

    public DataSource dataSource() {
        return pool;
    }

    public OutboxTables tables(StoreSettings store) {
        return new OutboxTables(settings.kind(), pool, store);
    }

    @Override
    public void close() {
        end.run();
    }
}
