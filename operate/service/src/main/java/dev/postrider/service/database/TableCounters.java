package dev.postrider.service.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * How many rows came into the hot table and how many went, since some moment in the past. Costs the same on any backlog; rows of
 * transactions that were rolled back count as well. Thread-safe.
 */
public final class TableCounters {

    private final DataSource dataSource;
    private final RowCounter counter;

    private TableCounters(DataSource dataSource, RowCounter counter) {
        this.dataSource = dataSource;
        this.counter = counter;
    }

    public static TableCounters of(DatabaseKind kind, DataSource dataSource, StoreSettings settings) {
        return new TableCounters(dataSource, counter(kind, settings));
    }

    private static RowCounter counter(DatabaseKind kind, StoreSettings settings) {
        if (settings.isExisting()) {
            // Rows of existing tables may stay when they are delivered: their going says nothing.
            return connection -> Optional.empty();
        }
        return kind == DatabaseKind.POSTGRES
                ? connection -> countedByPostgres(connection, settings)
                : new NumberedRowCounter(kind, settings);
    }

    /** PostgreSQL counts itself, and tells everybody. */
    private static Optional<Sample> countedByPostgres(Connection connection, StoreSettings settings)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT n_tup_ins, n_tup_del FROM pg_stat_user_tables WHERE relid = to_regclass(?)")) {
            statement.setString(1, settings.table("\"", ""));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(Sample.now(row.getLong(1), row.getLong(2))) : Optional.empty();
            }
        }
    }

    /** Empty where the database does not count, or does not tell this user. */
    public Optional<Sample> read() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            return counter.read(connection);
        } catch (SQLException notTold) {
            return Optional.empty();
        }
    }

    /**
     * The counters at one moment.
     *
     * @param nanoTime when, on this machine's monotonic clock
     */
    public record Sample(long came, long went, long nanoTime) {

        static Sample now(long came, long went) {
            return new Sample(came, went, System.nanoTime());
        }
    }

    /** Asks one kind of database. */
    interface RowCounter {

        Optional<Sample> read(Connection connection) throws SQLException;
    }
}
