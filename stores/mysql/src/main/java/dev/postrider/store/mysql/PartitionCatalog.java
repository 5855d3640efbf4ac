package dev.postrider.store.mysql;

import dev.postrider.spi.AuditPartitions.Layout;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the server's catalogue says about the partitions of the audit trail. */
final class PartitionCatalog {

    /** What the audit trail must be partitioned by. */
    static final String KEY = "delivered_at";

    /** A bound, in UTC, with or without fractions of a second. */
    static final DateTimeFormatter BOUND = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
            .toFormatter()
            .withZone(ZoneOffset.UTC);

    private static final String MAXVALUE = "MAXVALUE";

    private static final String PARTITIONS = """
            SELECT UTC_TIMESTAMP(6) AS present, PARTITION_NAME, PARTITION_METHOD, PARTITION_EXPRESSION, PARTITION_DESCRIPTION
            FROM information_schema.PARTITIONS
            WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?
            ORDER BY PARTITION_ORDINAL_POSITION""";

    private final JdbcContext context;
    private final TableName sent;

    PartitionCatalog(JdbcContext context) {
        this.context = context;
        this.sent = context.tables().sent();
    }

    /** Refuses a table that is not what it must be. */
    Layout read(Connection connection) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, PARTITIONS)) {
            List<Found> found = statement.with(sent.schema()).with(sent.name()).list(this::found);
            check(found);
            return layout(found);
        }
    }

    private Found found(ResultSet row) throws SQLException {
        return new Found(
                context.dialect().getInstant(row, row.findColumn("present")),
                row.getString("PARTITION_NAME"),
                row.getString("PARTITION_METHOD"),
                row.getString("PARTITION_EXPRESSION"),
                row.getString("PARTITION_DESCRIPTION"));
    }

    private void check(List<Found> found) {
        if (found.isEmpty()) {
            throw new StoreException("There is no audit trail " + sent + ". Create it with audit(PARTITIONED) and"
                    + " schemaMode(CREATE)");
        }
        if (found.get(0).method() == null) {
            throw new StoreException("The audit trail " + sent + " is a plain table. Use Cleanup, or move to an outbox"
                    + " built with audit(PARTITIONED)");
        }
        if (!found.get(0).isByDeliveryTime()) {
            throw new StoreException("The audit trail " + sent + " is not partitioned BY RANGE COLUMNS (" + KEY
                    + "). Create it again as schemaSql() shows");
        }
        if (!last(found).isTail()) {
            throw new StoreException(
                    "The audit trail " + sent + " has no partition up to MAXVALUE: recording a delivery"
                            + " fails after the last partition. Run: ALTER TABLE " + sent
                            + " ADD PARTITION (PARTITION p_tail VALUES LESS THAN (MAXVALUE))");
        }
    }

    private static Found last(List<Found> found) {
        return found.get(found.size() - 1);
    }

    /** Each partition begins where the one before ends. */
    private static Layout layout(List<Found> found) {
        List<Partition> partitions = new ArrayList<>();
        Instant from = Instant.MIN;
        for (Found each : found.subList(0, found.size() - 1)) {
            partitions.add(new Partition(each.name(), from, each.bound()));
            from = each.bound();
        }
        return new Layout(last(found).present(), partitions, last(found).name(), "");
    }

    /** A row of the catalogue; of a plain table there is one, without method. */
    private record Found(
            Instant present,
            String name,
            @Nullable String method,
            @Nullable String expression,
            @Nullable String description) {

        boolean isByDeliveryTime() {
            return "RANGE COLUMNS".equals(method)
                    && KEY.equals(String.valueOf(expression).replace("`", ""));
        }

        boolean isTail() {
            return MAXVALUE.equals(description);
        }

        Instant bound() {
            return BOUND.parse(String.valueOf(description).replace("'", ""), Instant::from);
        }
    }
}
