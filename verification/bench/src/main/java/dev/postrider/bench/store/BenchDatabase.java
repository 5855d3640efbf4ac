package dev.postrider.bench.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A database with a pool. Thread-safe. */
public final class BenchDatabase implements AutoCloseable {

    private static final int CONNECTIONS = 40;

    private final OutboxDatabase database;
    private final AtomicInteger outboxes = new AtomicInteger();

    private BenchDatabase(OutboxDatabase database) {
        this.database = database;
    }

    /** Connects. */
    public static BenchDatabase open(DatabaseSettings settings) {
        return new BenchDatabase(OutboxDatabase.openOrCreate(new DatabaseSettings(
                settings.url(), settings.user(), settings.password(), CONNECTIONS, settings.connectTimeout())));
    }

    /** Where it is and who asks; a relay in another process connects by it. */
    public DatabaseSettings settings() {
        return database.settings();
    }

    public DatabaseKind kind() {
        return settings().kind();
    }

    /** As on the command line: {@code postgres}. */
    public String label() {
        return kind().name().toLowerCase(Locale.ROOT);
    }

    /** What names are put in, so that they are taken as they are written. */
    public String quote() {
        return kind() == DatabaseKind.POSTGRES || kind() == DatabaseKind.H2 ? "\"" : "`";
    }

    /** The pool. */
    public DataSource dataSource() {
        return database.dataSource();
    }

    /** How many of its connections are in use, and how many threads wait for one, by the names of figures. */
    public Map<String, Double> poolLevels() {
        return dataSource() instanceof HikariDataSource pool
                ? Map.of(
                        "pool_active",
                        (double) pool.getHikariPoolMXBean().getActiveConnections(),
                        "pool_waiting",
                        (double) pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                : Map.of();
    }

    public Connection connection() throws SQLException {
        return dataSource().getConnection();
    }

    /** What the server says of itself. */
    public String version() throws SQLException {
        try (Connection connection = connection()) {
            DatabaseMetaData data = connection.getMetaData();
            return data.getDatabaseProductName() + " " + data.getDatabaseProductVersion();
        }
    }

    /** A new outbox in tables of its own; the settings differ from the defaults as is said here. */
    public BenchOutbox openOutbox(Consumer<StoreSettings> changes) {
        StoreSettings settings = new StoreSettings();
        changes.accept(settings);
        settings.prefix(BenchOutbox.PREFIX + outboxes.incrementAndGet());
        return BenchOutbox.create(this, database, settings);
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The one number that a query answers. */
    public long number(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
