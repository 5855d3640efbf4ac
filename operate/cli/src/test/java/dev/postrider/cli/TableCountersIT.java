package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.database.TableCounters;
import dev.postrider.service.database.TableCounters.Sample;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** What came and went, by the numbers of the rows, where the server does not count. */
class TableCountersIT {

    /** So many that only the lowest is asked. */
    private static final int LARGE = 20_000;

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void assertCounts(DatabaseKind kind, DataSource dataSource, String id, String numbers)
            throws SQLException {
        TableCounters counters = TableCounters.of(kind, dataSource, new StoreSettings());
        String insert = "INSERT INTO %s (id, topic, type, payload) SELECT %s, 't', 't', %s FROM %s";
        String table = kind == DatabaseKind.H2 ? "\"outbox\"" : "outbox";
        String payload = kind == DatabaseKind.H2 ? "X'00'" : "'x'";
        try (Connection connection = dataSource.getConnection()) {
            Sample none = counters.read().orElseThrow();
            assertThat(none.came()).isEqualTo(none.went());

            // One that is open has come, and has not gone.
            connection.setAutoCommit(false);
            execute(
                    connection,
                    "INSERT INTO %s (id, topic, type, payload) VALUES (%s, 't', 't', %s)"
                            .formatted(table, id, payload));
            Sample open = counters.read().orElseThrow();
            assertThat(open.came() - none.came()).isEqualTo(1);
            assertThat(open.went()).isEqualTo(none.went());
            connection.commit();

            execute(connection, "DELETE FROM " + table);
            connection.commit();
            Sample one = counters.read().orElseThrow();
            assertThat(one.came() - none.came()).isEqualTo(1);
            assertThat(one.went() - none.went()).isEqualTo(1);

            execute(connection, insert.formatted(table, id, payload, numbers));
            connection.commit();
            execute(connection, "DELETE FROM %s WHERE seq <= %d".formatted(table, one.came() + 100));
            connection.commit();
            Sample many = counters.read().orElseThrow();
            // A statement that does not say how many rows it inserts takes numbers in growing steps.
            assertThat(many.came() - one.came()).isBetween((long) LARGE, 2L * LARGE);
            assertThat(many.went() - one.went()).isEqualTo(100);
        }
    }

    private static void assertCounts(DatabaseKind kind, DatabaseServer server, String numbers) throws SQLException {
        try (Database database = server.createDatabase("counters")) {
            MysqlOutboxStore.builder(database.dataSource())
                    .schemaMode(SchemaMode.CREATE)
                    .build();
            assertCounts(kind, database.dataSource(), "UNHEX(REPLACE(UUID(), '-', ''))", numbers);
        }
    }

    @Test
    void countsOnMysql() throws SQLException {
        assertCounts(
                DatabaseKind.MYSQL,
                Servers.mysql(),
                "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)".formatted(LARGE)
                        + " SELECT /*+ SET_VAR(cte_max_recursion_depth = 100000) */ i FROM n) numbers");
    }

    @Test
    void countsOnMariadb() throws SQLException {
        assertCounts(DatabaseKind.MARIADB, Servers.mariadb(), "seq_1_to_" + LARGE);
    }

    @Test
    void countsOnH2() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:counters;DB_CLOSE_DELAY=-1");
        H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        assertCounts(DatabaseKind.H2, dataSource, "RANDOM_UUID()", "SYSTEM_RANGE(1, %d)".formatted(LARGE));
    }
}
