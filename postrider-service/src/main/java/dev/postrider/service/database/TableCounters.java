package dev.postrider.service.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What the server itself counts about the hot table: rows that came and rows that went. Costs the same on any backlog; rows of
 * transactions that were rolled back count as well. Thread-safe.
 */
public final class TableCounters {

    private static final String POSTGRES =
            "SELECT n_tup_ins, n_tup_del FROM pg_stat_user_tables WHERE relid = to_regclass(?)";

    private static final String MYSQL = """
            SELECT COUNT_INSERT, COUNT_DELETE FROM performance_schema.table_io_waits_summary_by_table
            WHERE CONCAT('`', OBJECT_SCHEMA, '`.`', OBJECT_NAME, '`') = ?
               OR (OBJECT_SCHEMA = DATABASE() AND CONCAT('`', OBJECT_NAME, '`') = ?)""";

    private final DatabaseKind kind;
    private final DataSource dataSource;
    private final StoreSettings settings;

    public TableCounters(DatabaseKind kind, DataSource dataSource, StoreSettings settings) {
        this.kind = kind;
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /** Empty where the server does not count, or does not tell this user. */
    public Optional<Sample> read() {
        // Rows of existing tables may stay when they are delivered: their going says nothing.
        if (kind == DatabaseKind.H2 || settings.isExisting()) {
            return Optional.empty();
        }
        boolean isPostgres = kind == DatabaseKind.POSTGRES;
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(isPostgres ? POSTGRES : MYSQL)) {
            connection.setAutoCommit(true);
            String table = settings.table(isPostgres ? "\"" : "`", "");
            statement.setString(1, table);
            if (!isPostgres) {
                statement.setString(2, table);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new Sample(row.getLong(1), row.getLong(2), System.nanoTime()))
                        : Optional.empty();
            }
        } catch (SQLException notTold) {
            return Optional.empty();
        }
    }

    /**
     * The counters at one moment.
     *
     * @param nanoTime when, on this machine's monotonic clock
     */
    public record Sample(long came, long went, long nanoTime) {}
}
