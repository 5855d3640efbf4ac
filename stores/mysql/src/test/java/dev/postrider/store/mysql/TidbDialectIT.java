package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What only TiDB does. */
@EnabledIfSystemProperty(named = "postrider.test.tidb", matches = "true", disabledReason = "TiDB only: .ci/tidb")
class TidbDialectIT {

    private HikariDataSource dataSource;

    @BeforeEach
    void createDatabase() {
        dataSource = TestServer.MYSQL.newDatabase("dialect");
    }

    @AfterEach
    void close() {
        dataSource.close();
    }

    @Test
    void refusesToKeepPartitions() {
        var store = MysqlOutboxStore.builder(dataSource)
                .audit(AuditTrail.PLAIN)
                .schemaMode(SchemaMode.CREATE)
                .build();

        assertThatThrownBy(() ->
                        PartitionKeeper.builder(store, PartitionPeriod.DAY).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Use Cleanup");
    }

    @Test
    void refusesTablesWhoseNumbersAreDrawnInManyPlaces() throws SQLException {
        String sql = MysqlOutboxStore.builder(dataSource).schemaSql().replaceAll("/\\*T!.*?\\*/", "");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String command : sql.replaceAll("(?m)^\\s*--.*$", "").split(";\\s*\n")) {
                if (!command.isBlank()) {
                    statement.execute(command);
                }
            }
        }

        assertThatThrownBy(() -> MysqlOutboxStore.builder(dataSource).build())
                .isInstanceOf(UnsupportedServerException.class)
                .hasMessageContaining("AUTO_ID_CACHE 1");
    }

    /** Of the rows above a number, and not of the whole table. */
    @Test
    void readsAndDeletesARangeOfThePrimaryKey() throws SQLException {
        TestStore store = TestStore.create(dataSource, 4);
        Selection selection = new Selection(List.of(1, 2, 3), Set.of("paused"), false);
        List<NumberRange> alone = List.of(new NumberRange(3, 5, 0), new NumberRange(9, 9, 0));
        PageRequest page = new PageRequest(selection, 100, alone, 200, 10, 10, 8192, false);

        assertThat(plan(store, page))
                .anyMatch(step -> step.contains("TableRangeScan"))
                .noneMatch(step -> step.contains("TableFullScan"))
                .noneMatch(step -> step.contains("TopN"));
    }

    private List<String> plan(TestStore store, PageRequest page) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                SqlStatement statement = SqlStatement.prepare(
                        connection,
                        store.context().dialect(),
                        "EXPLAIN " + store.hot().pageSql(page))) {
            HotTable.bindPage(statement, page);
            return statement.list(row -> row.getString("id") + " " + row.getString("access object"));
        }
    }
}
