package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that has filled up since the server last looked: its statistics say that it is empty. */
class PlanIT {

    private static final int LANES = 16;
    private static final int ROWS = 200_000;

    @NotOnTidb("it reads MySQL's plans and changes its statistics; TidbDialectIT reads TiDB's")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void readsAndDeletesByThePrimaryKeyWhateverTheStatisticsSay(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("plan")) {
            TestStore store = TestStore.create(dataSource, LANES);
            fillBehindTheBackOfTheStatistics(store);
            Selection selection = new Selection(List.of(1, 2, 3), Set.of("paused"), false);
            List<NumberRange> alone = LongStream.range(0, UnseenNumbers.MOST_RANGES)
                    .mapToObj(n -> new NumberRange(100 * n, 100 * n + 2, 0))
                    .toList();
            PageRequest page = new PageRequest(selection, 100_000, alone, 101_000, 500, 500, 8192, true);

            List<Step> fetch = explain(store, store.hot().pageSql(page), s -> HotTable.bindPage(s, page));
            RowPredicate rows = store.context()
                    .dialect()
                    .rows(refs(100_000, store.context().dialect().maxRowsPerStatement()));
            List<Step> delete = explain(
                    store,
                    store.context()
                            .dialect()
                            .deleteRows(store.context().tables().hot(), rows.sql()),
                    rows::bind);

            assertThat(fetch).extracting(Step::table).contains("h", "n");
            assertThat(fetch)
                    .filteredOn(step -> Set.of("h", "n").contains(step.table()))
                    .allSatisfy(PlanIT::isRangeOfPrimaryKey);
            assertThat(fetch)
                    .filteredOn(step -> step.table().equals("d"))
                    .extracting(Step::key)
                    .containsExactly("outbox_held_by_key");
            assertThat(delete).hasSize(1).allSatisfy(PlanIT::isRangeOfPrimaryKey);
        }
    }

    private static void isRangeOfPrimaryKey(Step step) {
        assertThat(step.type()).isEqualTo("range");
        assertThat(step.key()).isEqualTo("PRIMARY");
    }

    private static void fillBehindTheBackOfTheStatistics(TestStore store) throws SQLException {
        store.execute("ALTER TABLE outbox STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0");
        store.execute("ANALYZE TABLE outbox");
        store.execute("CREATE TABLE digit (d INT)");
        store.execute("INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        store.execute("""
                INSERT INTO outbox (id, topic, message_key, type, payload)
                SELECT UNHEX(LEFT(SHA2(CONCAT(a.d, b.d, c.d, d.d, e.d, f.d), 256), 32)), 'orders', CONCAT('key-', b.d, c.d, d.d), 'test', REPEAT('x', 100)
                FROM digit a, digit b, digit c, digit d, digit e, (SELECT 0 AS d UNION ALL SELECT 1) f""");
        store.execute("FLUSH TABLES outbox");
        assertThat(store.number("SELECT COUNT(*) FROM outbox")).isEqualTo(ROWS);
    }

    private static List<RowRef> refs(long from, int count) {
        return LongStream.range(from, from + count)
                .mapToObj(seq -> new RowRef((int) (seq % LANES), seq, new MessageId(1, seq)))
                .toList();
    }

    private static List<Step> explain(TestStore store, String sql, ReadSession.Binding binding) throws SQLException {
        try (Connection connection = store.dataSource().getConnection();
                SqlStatement statement = SqlStatement.prepare(
                        connection, store.context().dialect(), "EXPLAIN FORMAT = TRADITIONAL " + sql)) {
            binding.bind(statement);
            List<Step> steps = new ArrayList<>(statement.list(row -> new Step(
                    String.valueOf(row.getString("table")),
                    String.valueOf(row.getString("type")),
                    String.valueOf(row.getString("key")),
                    row.getLong("rows"))));
            return steps;
        }
    }

    private record Step(String table, String type, String key, long rows) {}
}
