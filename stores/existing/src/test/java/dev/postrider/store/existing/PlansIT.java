package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Ordering;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A look for rows reads few of 200,000, some delivered and others not. */
@NotOnTidb("this test counts the rows that InnoDB reads; TiDB reads ahead of a limit")
class PlansIT {

    private static final int ROWS = 200_000;
    private static final int LIMIT = 100;
    private static final int MOST_READ = 5_000;
    private static final RowQuery FIND =
            new RowQuery(LIMIT, Set.of(), Ordering.NONE, List.of(), Set.of(), RowQuery.Reach.ALL);

    @ParameterizedTest
    @EnumSource(names = {"RECORDS", "ENUM_STATUS"})
    void readsFewRowsOfMysqlBehindManyThatWereDelivered(Preset preset) throws SQLException {
        Tables tables = Tables.empty(Server.MYSQL, preset);
        fill(tables);
        StatusTable table = table(tables);

        try (Connection connection = tables.dataSource().getConnection()) {
            Sql candidates = table.finder().candidates(FIND, LIMIT);
            assertThat(candidates.list(connection, row -> row.getString(1))).hasSize(LIMIT);
            assertThat(rowsRead(connection, candidates)).isLessThan(MOST_READ);
        }
        tables.execute("TRUNCATE TABLE outbox");
    }

    /** How many rows a query makes MySQL or MariaDB read. */
    static long rowsRead(Connection connection, Sql query) throws SQLException {
        long before = handlerReads(connection);
        query.list(connection, row -> row.getString(1));
        return handlerReads(connection) - before;
    }

    private static long handlerReads(Connection connection) throws SQLException {
        return Sql.of("SHOW SESSION STATUS LIKE 'Handler_read%'").list(connection, row -> row.getLong(2)).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The older half was delivered, the younger half was not. */
    private static void fill(Tables tables) throws SQLException {
        String insert = tables.preset == Preset.RECORDS
                ? "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, status) %s UNHEX(CONCAT('0190000000007', LPAD(HEX(i), 19, '0'))), 'a', 'k', 't', '{}', IF(i <= %d, 1, 0) FROM n"
                : "INSERT INTO outbox (event_id, aggregate_type, aggregate_id, event_type, payload, status, created_at) %s UUID(), 'a', 'k', 't', '{}', IF(i <= %d, 'sent', 'pending'), '2026-01-01' + INTERVAL i SECOND FROM n";
        String numbers =
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT".formatted(ROWS);
        try (Connection connection = tables.dataSource().getConnection()) {
            connection.createStatement().execute("SET SESSION cte_max_recursion_depth = 1000000");
            connection.createStatement().execute(insert.formatted(numbers, ROWS / 2));
            connection.createStatement().execute("ANALYZE TABLE outbox");
        }
    }

    @Test
    void readsRowsOfPostgresInTheOrderOfAnIndex() throws SQLException {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.execute(
                "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, published_at) SELECT 'e' || n, 't', 'k', '{}', CASE WHEN n <= %d THEN now() END FROM generate_series(1, %d) n"
                        .formatted(ROWS / 2, ROWS));
        tables.execute("ANALYZE event_outbox");
        Sql looking = table(tables).finder().candidates(FIND, LIMIT);

        try (Connection connection = tables.dataSource().getConnection()) {
            String plan =
                    String.join("\n", Sql.of("EXPLAIN " + looking, LIMIT).list(connection, row -> row.getString(1)));
            assertThat(plan).contains("idx_outbox_unpublished").doesNotContain("Seq Scan");
        }
        tables.execute("TRUNCATE TABLE event_outbox");
    }

    private static StatusTable table(Tables tables) throws SQLException {
        try (Connection connection = tables.dataSource().getConnection()) {
            Database database = tables.server == Server.POSTGRES ? Database.POSTGRES : Database.MYSQL;
            return new StatusTable(
                    MappingCheck.check(connection, database, tables.preset.mapping(), Optional.empty()),
                    Optional.empty(),
                    Optional.empty());
        }
    }
}
