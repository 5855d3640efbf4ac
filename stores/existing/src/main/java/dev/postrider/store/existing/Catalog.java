package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Asks the database what columns a table really has. */
final class Catalog {

    private static final String COLUMNS = """
            SELECT column_name AS column_name, data_type AS data_type, is_nullable AS is_nullable,
                   %s AS full_type, %s AS is_generated, %s AS is_filled, %s AS is_unicode,
                   COALESCE(character_maximum_length, 1000000) AS max_length
            FROM information_schema.columns c
            WHERE table_name = ? AND table_schema = COALESCE(?, %s)
            ORDER BY ordinal_position""";

    /** An enum of PostgreSQL with its values, as MySQL writes it. */
    private static final String POSTGRES_TYPE = """
            COALESCE((SELECT 'enum(' || string_agg(quote_literal(e.enumlabel), ',' ORDER BY e.enumsortorder) || ')'
                      FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid JOIN pg_namespace n ON n.oid = t.typnamespace
                      WHERE t.typname = c.udt_name AND n.nspname = c.udt_schema), data_type)""";

    private final Database database;
    private final boolean isLocalTimeUtc;

    Catalog(Database database, boolean isLocalTimeUtc) {
        this.database = database;
        this.isLocalTimeUtc = isLocalTimeUtc;
    }

    /** By name, in order; empty if there is no such table. */
    Map<String, Column> columns(Connection connection, TablePath table) throws SQLException {
        String sql = database.isPostgres()
                ? COLUMNS.formatted(
                        POSTGRES_TYPE,
                        "is_generated = 'ALWAYS'",
                        "column_default IS NOT NULL OR is_identity = 'YES'",
                        "true",
                        "current_schema()")
                : COLUMNS.formatted(
                        "column_type",
                        "extra LIKE '%GENERATED%' AND extra NOT LIKE '%DEFAULT_%'",
                        "column_default IS NOT NULL OR extra LIKE '%auto_increment%'",
                        "COALESCE(character_set_name = 'utf8mb4', TRUE)",
                        "DATABASE()");
        Map<String, Column> columns = new LinkedHashMap<>();
        Sql.of(sql, table.name(), table.schema().orElse(null))
                .list(connection, row -> {
                    String name = row.getString("column_name");
                    return new Column(
                            name,
                            database.quote(name),
                            ColumnKind.of(row.getString("data_type")),
                            row.getString("full_type"),
                            row.getString("is_nullable").equals("YES"),
                            row.getBoolean("is_generated"),
                            row.getBoolean("is_filled"),
                            row.getBoolean("is_unicode"),
                            (int) Math.min(1_000_000, row.getLong("max_length")),
                            isLocalTimeUtc,
                            database);
                })
                .forEach(column -> columns.put(column.name(), column));
        return columns;
    }

    /**
     * The columns of a table that must be there.
     *
     * @param advice what to do if it is not, added to the message
     * @throws MappingException if there is no such table
     */
    Map<String, Column> existing(Connection connection, TablePath table, String advice) throws SQLException {
        Map<String, Column> columns = columns(connection, table);
        if (columns.isEmpty()) {
            throw MappingException.noTable(table, advice);
        }
        return columns;
    }

    /** The table with all that leads to it within its server. */
    String path(Connection connection, TablePath table) throws SQLException {
        String place = database.isPostgres()
                ? "SELECT current_database() || '.' || COALESCE(CAST(? AS text), current_schema())"
                : "SELECT COALESCE(?, DATABASE())";
        return Sql.of(place, table.schema().orElse(null))
                        .first(connection, row -> row.getString(1))
                        .orElseThrow()
                + "." + table.name();
    }

    /** An index that begins with this column, the primary key before others. */
    Optional<String> indexOn(Connection connection, TablePath table, Column column) throws SQLException {
        String sql = database.isPostgres() ? """
                SELECT i.indexrelid::regclass::text
                FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = to_regclass(?) AND a.attname = ?
                ORDER BY i.indisprimary DESC LIMIT 1""" : """
                SELECT index_name FROM information_schema.statistics
                WHERE CONCAT(COALESCE(?, DATABASE()), '.', ?) = CONCAT(table_schema, '.', table_name)
                  AND column_name = ? AND seq_in_index = 1
                ORDER BY index_name = 'PRIMARY' DESC LIMIT 1""";
        Sql query = database.isPostgres()
                ? Sql.of(sql, table.sql(database), column.name())
                : Sql.of(sql, table.schema().orElse(null), table.name(), column.name());
        return query.first(connection, row -> row.getString(1));
    }

    /** Whether no two rows can have the same value in this column. */
    boolean isUnique(Connection connection, TablePath table, String column) throws SQLException {
        String sql = database.isPostgres() ? """
                SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = to_regclass(?) AND a.attname = ?
                  AND i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL""" : """
                SELECT 1 FROM information_schema.statistics
                WHERE CONCAT(COALESCE(?, DATABASE()), '.', ?) = CONCAT(table_schema, '.', table_name)
                GROUP BY index_name
                HAVING COUNT(*) = 1 AND MAX(column_name) = ? AND MAX(non_unique) = 0""";
        Sql query = database.isPostgres()
                ? Sql.of(sql, table.sql(database), column)
                : Sql.of(sql, table.schema().orElse(null), table.name(), column);
        return query.first(connection, row -> true).isPresent();
    }

    /** Lets the database judge an insert of no row; says what it has against it. */
    Optional<String> refusalToMove(Connection connection, TablePath from, TablePath to, List<String> columns)
            throws SQLException {
        String names = columns.stream().map(database::quote).collect(Collectors.joining(", "));
        Savepoint before = connection.setSavepoint();
        try {
            Sql.of("INSERT INTO %s (%s)%s SELECT %s FROM %s WHERE 1 = 0"
                            .formatted(to.sql(database), names, database.overriding(), names, from.sql(database)))
                    .update(connection);
            return Optional.empty();
        } catch (SQLException refused) {
            connection.rollback(before);
            return Optional.of("rows cannot be moved to table %s: %s".formatted(to, refused.getMessage()));
        }
    }

    /** By which column the table is partitioned by range, if its last partition takes all that lies beyond the others. */
    Optional<String> partitionedBy(Connection connection, TablePath table) throws SQLException {
        if (database.isPostgres()) {
            return Optional.empty();
        }
        return Sql.of("""
                        SELECT MIN(partition_expression) FROM information_schema.partitions
                        WHERE table_name = ? AND table_schema = COALESCE(?, DATABASE())
                          AND partition_method IN ('RANGE', 'RANGE COLUMNS') AND partition_description = 'MAXVALUE'""", table.name(), table.schema().orElse(null))
                .first(connection, row -> Optional.ofNullable(row.getString(1)))
                .flatMap(expression -> expression.map(text -> text.replaceAll("[`() ]", "")));
    }
}
