package dev.postrider.store.postgres;

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
import java.time.OffsetDateTime;
import java.util.List;

/** What the server's catalogue says about the partitions of the audit trail. */
final class PartitionCatalog {

    /** What the audit trail must be partitioned by. */
    static final String KEY = "delivered_at";

    /** Bounds are printed, and read again, in the form and zone of the session. */
    private static final String READABLE_BOUNDS =
            "SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true)";

    private static final String TABLE = """
            SELECT now() AS present, p.partstrat, p.partnatts, quote_ident(n.nspname) AS schema_name,
                   (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = p.partattrs[0]) AS key_column,
                   (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS all_columns,
                   d.relname AS tail_name, CAST(CAST(d.oid AS regclass) AS text) AS tail_table
            FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_partitioned_table p ON p.partrelid = c.oid
            LEFT JOIN pg_class d ON d.oid = p.partdefid
            WHERE c.oid = to_regclass(?)""";

    /** A bound without quotes is MINVALUE or MAXVALUE. The default partition matches nothing. */
    private static final String PARTITIONS = """
            SELECT name, sql_name,
                   CAST(substring(bounds[1] FROM '^''(.*)''$') AS timestamptz) AS lower_bound,
                   CAST(substring(bounds[2] FROM '^''(.*)''$') AS timestamptz) AS upper_bound
            FROM (SELECT c.relname AS name, CAST(CAST(c.oid AS regclass) AS text) AS sql_name,
                         regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((.*)\\) TO \\((.*)\\)') AS bounds
                  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                  WHERE i.inhparent = to_regclass(?)) p
            WHERE bounds IS NOT NULL
            ORDER BY lower_bound NULLS FIRST""";

    private final JdbcContext context;
    private final TableName sent;

    PartitionCatalog(JdbcContext context) {
        this.context = context;
        this.sent = context.tables().sent();
    }

    /** Refuses a table that is not what it must be. */
    Trail read(Connection connection) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, READABLE_BOUNDS)) {
            statement.first(row -> true);
        }
        try (SqlStatement statement = context.prepare(connection, TABLE)) {
            Table table = statement.with(sent.sql()).first(Table::of).orElseThrow(this::missing);
            check(table);
            return new Trail(table, partitions(connection), sent.name() + "_");
        }
    }

    private List<Found> partitions(Connection connection) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, PARTITIONS)) {
            return statement.with(sent.sql()).list(Found::of);
        }
    }

    private StoreException missing() {
        return new StoreException(
                "There is no audit trail " + sent + ". Create it with audit(PARTITIONED) and" + " schemaMode(CREATE)");
    }

    private void check(Table table) {
        if (table.strategy() == null) {
            throw new StoreException("The audit trail " + sent + " is a plain table. Use Cleanup, or move to an outbox"
                    + " built with audit(PARTITIONED)");
        }
        if (!table.strategy().equals("r") || table.keys() != 1 || !KEY.equals(table.keyColumn())) {
            throw new StoreException("The audit trail " + sent + " is not partitioned BY RANGE (" + KEY + "). Create it"
                    + " again as schemaSql() shows");
        }
        if (table.tailName() == null) {
            throw new StoreException("The audit trail " + sent + " has no DEFAULT partition: recording a delivery fails"
                    + " at any time that has no partition. Run: CREATE TABLE "
                    + context.tables().named("_sent_default") + " PARTITION OF " + sent + " DEFAULT");
        }
    }

    /** The audit trail as it is. */
    record Trail(Table table, List<Found> found, String namePrefix) {

        Layout layout() {
            return new Layout(
                    table.present(), found.stream().map(Found::partition).toList(), table.tailName(), namePrefix);
        }
    }

    /** The partitioned table; the names of schema, columns and tail table are quoted. */
    record Table(
            Instant present,
            String strategy,
            int keys,
            String keyColumn,
            String schema,
            String columns,
            String tailName,
            String tailTable) {

        static Table of(ResultSet row) throws SQLException {
            return new Table(
                    row.getObject("present", OffsetDateTime.class).toInstant(),
                    row.getString("partstrat"),
                    row.getInt("partnatts"),
                    row.getString("key_column"),
                    row.getString("schema_name"),
                    row.getString("all_columns"),
                    row.getString("tail_name"),
                    row.getString("tail_table"));
        }
    }

    /** A partition and its quoted name. */
    record Found(Partition partition, String sqlName) {

        static Found of(ResultSet row) throws SQLException {
            OffsetDateTime from = row.getObject("lower_bound", OffsetDateTime.class);
            OffsetDateTime upTo = row.getObject("upper_bound", OffsetDateTime.class);
            return new Found(
                    new Partition(
                            row.getString("name"),
                            from == null ? Instant.MIN : from.toInstant(),
                            upTo == null ? Instant.MAX : upTo.toInstant()),
                    row.getString("sql_name"));
        }
    }
}
