package dev.postrider.store.existing;

import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TransactionLimits;
import dev.postrider.store.jdbc.TransactionRules;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;

/** The servers that are known, and how their SQL differs as far as existing tables need it. */
enum Database implements TransactionRules {
    POSTGRES,
    MYSQL,
    MARIADB,
    TIDB;

    private static final Set<String> TRANSIENT_STATES = Set.of("40001", "40P01", "55P03");
    private static final Set<Integer> TRANSIENT_CODES = Set.of(1020, 1205, 1213, 3572, 8022, 9007);

    /** The server behind the pool; one that locks nothing by SKIP LOCKED is told apart. */
    static Database of(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData data = connection.getMetaData();
            String product = data.getDatabaseProductName();
            return switch (product) {
                case "PostgreSQL" -> POSTGRES;
                case "MySQL", "MariaDB", "TiDB" -> ofVersion(versionOf(connection), product);
                default -> throw unknown(product);
            };
        } catch (SQLException error) {
            throw new StoreException("Could not ask the database what it is: " + error.getMessage(), error);
        }
    }

    private static String versionOf(Connection connection) throws SQLException {
        return Sql.of("SELECT VERSION()")
                .first(connection, row -> row.getString(1))
                .orElse("");
    }

    /** By what {@code VERSION()} says: drivers call MariaDB and TiDB MySQL as well. */
    static Database ofVersion(String version, String product) {
        String lower = version.toLowerCase(Locale.ROOT);
        if (lower.contains("tidb")) {
            return TIDB;
        }
        if (lower.contains("mariadb")) {
            return requireAtLeast(MARIADB, version, 10, 6);
        }
        if (product.equals("MySQL") || product.equals("MariaDB")) {
            return requireAtLeast(MYSQL, version, 8, 0);
        }
        throw unknown(product + " " + version);
    }

    private static StoreException unknown(String product) {
        return new StoreException(
                "Existing tables are served in PostgreSQL, MySQL, MariaDB and TiDB, but the data source" + " leads to "
                        + product + ". Correct the data source");
    }

    private static Database requireAtLeast(Database database, String version, int major, int minor) {
        String[] parts = version.split("[^0-9]+", 3);
        int found = Integer.parseInt(parts[0]) * 1000 + Integer.parseInt(parts[1]);
        if (found < major * 1000 + minor) {
            throw new StoreException("%s %s knows no SKIP LOCKED; existing tables need at least %d.%d"
                    .formatted(database, version, major, minor));
        }
        return database;
    }

    boolean isPostgres() {
        return this == POSTGRES;
    }

    String quote(String name) {
        return isPostgres() ? '"' + name + '"' : '`' + name + '`';
    }

    /** A text as an SQL literal. */
    String literal(String text) {
        String doubled = text.replace("'", "''");
        return '\'' + (isPostgres() ? doubled : doubled.replace("\\", "\\\\")) + '\'';
    }

    /** Between the columns and the values of an insert: a row keeps its number also where the column makes numbers of its own. */
    String overriding() {
        return isPostgres() ? " OVERRIDING SYSTEM VALUE" : "";
    }

    /** A text that is equal to others of the same bytes only, whatever the collations of columns and connections are. */
    String exact(String text) {
        return isPostgres()
                ? "CAST(%s AS text) COLLATE \"C\"".formatted(text)
                : "CAST(CONVERT(%s USING utf8mb4) AS BINARY)".formatted(text);
    }

    /** The same of a text of ours, as a parameter. */
    Object exactParameter(String text) {
        return isPostgres() ? text : text.getBytes(StandardCharsets.UTF_8);
    }

    List<Object> exactParameters(Collection<String> texts) {
        return texts.stream().map(this::exactParameter).toList();
    }

    @Override
    public SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits)
            throws SQLException {
        long idle = Math.max(1, limits.idle().toSeconds());
        try (Statement statement = connection.createStatement()) {
            if (isPostgres()) {
                statement.execute(
                        "SET TRANSACTION ISOLATION LEVEL %s; SET LOCAL idle_in_transaction_session_timeout = '%ds'"
                                .formatted(isolation.sql(), idle));
                if (limits.statement().isPresent()) {
                    statement.execute("SET LOCAL statement_timeout = "
                            + Math.max(1, limits.statement().get().toMillis()));
                }
                return SessionReset.NONE;
            }
            statement.execute("SET TRANSACTION ISOLATION LEVEL " + isolation.sql());
            statement.execute("SET @postrider_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = " + idle);
        }
        return Database::restoreIdleTime;
    }

    private static void restoreIdleTime(Connection connection) throws SQLException {
        SqlStatement.execute(
                connection, "SET SESSION wait_timeout = @postrider_wait_timeout, @postrider_wait_timeout = NULL");
    }

    @Override
    public boolean isTransient(SQLException error) {
        return isPostgres()
                ? TRANSIENT_STATES.contains(String.valueOf(error.getSQLState()))
                : TRANSIENT_CODES.contains(error.getErrorCode());
    }
}
