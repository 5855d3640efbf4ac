package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A table of delivered rows in 24 partitions, one for each hour of the day, emptied partition by partition.
 *
 * <p>The hour is that of the database's clock in UTC, as is the time in the rows. The table keeps the present hour and those
 * before it, one partition for each hour of the retention: a row lives for at least one hour less than that. The present hour is never
 * emptied, and the next one not in the last two minutes before it begins, since a statement that waits for a lock might reach into it.
 */
final class HourRing {

    private static final int HOURS = 24;
    private static final int GUARD_MINUTES = 58;
    private static final int LOCK_WAIT_SECONDS = 10;

    private final String table;
    private final List<String> partitions;

    private HourRing(String table, List<String> partitions) {
        this.table = table;
        this.partitions = partitions;
    }

    /** The ring, if the table is partitioned by hash of the hour of its time of delivery, into 24. */
    static Optional<HourRing> of(Connection connection, Database database, TablePath path) throws SQLException {
        List<String> names =
                Sql.of("""
                        SELECT partition_name FROM information_schema.partitions
                        WHERE table_name = ? AND table_schema = COALESCE(?, DATABASE()) AND partition_method = 'HASH'
                          AND LOWER(REPLACE(REPLACE(partition_expression, '`', ''), ' ', '')) = 'hour(sent_time)'
                        ORDER BY partition_ordinal_position""", path.name(), path.schema().orElse(null)).list(connection, row -> row.getString(1));
        return names.size() == HOURS
                ? Optional.of(new HourRing(
                        path.sql(database), names.stream().map(database::quote).toList()))
                : Optional.empty();
    }

    static boolean canKeep(Duration retention) {
        return hoursOf(retention) >= 1 && hoursOf(retention) < HOURS;
    }

    private static int hoursOf(Duration retention) {
        return (int) Math.min(
                HOURS, retention.plus(Duration.ofHours(1).minusNanos(1)).toHours());
    }

    /** The hours to be emptied, ascending, while it is this hour and minute. */
    static List<Integer> toTruncate(int hour, int minute, int retentionHours) {
        return IntStream.range(0, HOURS)
                .filter(other -> Math.floorMod(hour - other, HOURS) >= retentionHours)
                .filter(other -> minute < GUARD_MINUTES || other != (hour + 1) % HOURS)
                .boxed()
                .toList();
    }

    /** Returns how many partitions had rows and were emptied. */
    int truncate(Connection connection, Duration retention) throws SQLException {
        List<Integer> now = Sql.of("SELECT HOUR(UTC_TIMESTAMP(6)), MINUTE(UTC_TIMESTAMP(6))")
                .first(connection, row -> List.of(row.getInt(1), row.getInt(2)))
                .orElseThrow();
        List<String> filled = new ArrayList<>();
        for (int hour : toTruncate(now.get(0), now.get(1), hoursOf(retention))) {
            String name = partitions.get(hour);
            if (Sql.of("SELECT 1 FROM %s PARTITION (%s) LIMIT 1".formatted(table, name))
                    .first(connection, row -> true)
                    .isPresent()) {
                filled.add(name);
            }
        }
        if (!filled.isEmpty()) {
            truncate(connection, filled);
        }
        return filled.size();
    }

    private void truncate(Connection connection, List<String> names) throws SQLException {
        // The relay's own transactions use the table: do not make them wait for long behind this one.
        try (Statement statement = connection.createStatement()) {
            connection.commit();
            statement.execute("SET @postrider_lock_wait = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = "
                    + LOCK_WAIT_SECONDS);
            try {
                statement.execute("ALTER TABLE %s TRUNCATE PARTITION %s".formatted(table, String.join(", ", names)));
            } finally {
                statement.execute("SET SESSION lock_wait_timeout = @postrider_lock_wait");
            }
        }
    }
}
