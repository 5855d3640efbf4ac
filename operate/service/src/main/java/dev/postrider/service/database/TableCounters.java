package dev.postrider.service.database;

import java.sql.Connection;
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
        return new TableCounters(dataSource, RowCounter.of(kind, settings));
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
}
