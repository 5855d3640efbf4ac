package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testservers.NotOnTidb;
import dev.postrider.testservers.StatementRecorder;
import dev.postrider.testservers.StatementRecorder.Recorded;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Delayed messages and dead letters, 20,000 of each, while the server believes that there are none. */
class SidePlanIT {

    private static final int ROWS = 20_000;
    private static final MessageId ID = new MessageId(1, 2);

    private final StatementRecorder recorder = new StatementRecorder();

    @NotOnTidb("it reads MySQL's plans and changes its statistics")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void readsDelayedMessagesAndDeadLettersByTheIntendedIndex(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("side_plan")) {
            TestStore tables = TestStore.create(dataSource, 16);
            fillBehindTheBackOfTheStatistics(tables);
            OutboxStore store =
                    MysqlOutboxStore.builder(recorder.around(dataSource)).build();
            DeadLetters letters = store.deadLetters();
            recorder.take();

            store.forRelay(Ordering.PER_KEY).releaseDelayed(Set.of(1, 2, 3), 100);
            assertThat(keys(dataSource, "SELECT id FROM `outbox_delayed`")).contains("outbox_delayed_by_due");
            letters.list(DeadLetterFilter.byId(ID), Optional.empty(), 10);
            assertThat(keys(dataSource, "SELECT")).containsExactly("outbox_dead_by_id");
            letters.list(DeadLetterFilter.all().withKey("key-123"), Optional.empty(), 10);
            assertThat(keys(dataSource, "SELECT")).containsExactly("outbox_dead_by_key");
            letters.list(DeadLetterFilter.all(), Optional.empty(), 10);
            assertThat(keys(dataSource, "SELECT")).containsExactly("PRIMARY");
            letters.requestRetry(DeadLetterFilter.all().withTopic("orders"), 10, "ann");
            assertThat(keys(dataSource, "SELECT")).containsOnly("PRIMARY");
            store.forRelay(Ordering.PER_KEY).held().adoptRetries(lease(store), 10);
            assertThat(keys(dataSource, "SELECT lane, seq, id, message_key FROM `outbox_dead`"))
                    .contains("outbox_dead_by_request");
            store.maintenance().deleteDeadLetters(Duration.ofDays(1), 10);
            assertThat(keys(dataSource, "SELECT lane, seq, id FROM `outbox_dead`"))
                    .containsExactly("outbox_dead_by_time");
        }
    }

    private static Lease lease(OutboxStore store) {
        return store.leases()
                .take(1, "relay", Duration.ofMinutes(1))
                .orElseThrow()
                .lease();
    }

    /** The indexes that the recorded statements with this beginning use. */
    private List<String> keys(HikariDataSource dataSource, String beginning) throws SQLException {
        List<String> keys = new ArrayList<>();
        try (Connection connection = dataSource.getConnection()) {
            for (Recorded statement : recorder.take()) {
                if (statement.sql().startsWith(beginning)) {
                    explain(connection, statement, keys);
                }
            }
        }
        return keys;
    }

    private static void explain(Connection connection, Recorded recorded, List<String> keys) throws SQLException {
        try (PreparedStatement statement = recorded.prepare(connection, "EXPLAIN FORMAT = TRADITIONAL ");
                ResultSet steps = statement.executeQuery()) {
            while (steps.next()) {
                keys.add(String.valueOf(steps.getString("key")));
            }
        }
    }

    private static void fillBehindTheBackOfTheStatistics(TestStore store) throws SQLException {
        for (String table : List.of("outbox_delayed", "outbox_dead")) {
            store.execute("ALTER TABLE %s STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0".formatted(table));
            store.execute("ANALYZE TABLE " + table);
        }
        store.execute("CREATE TABLE digit (d INT)");
        store.execute("INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        String rows = "FROM digit a, digit b, digit c, digit d, (SELECT 0 AS d UNION ALL SELECT 1) f";
        String id = "UNHEX(LEFT(SHA2(CONCAT(a.d, b.d, c.d, d.d, f.d), 256), 32))";
        store.execute("""
                INSERT INTO outbox_delayed (id, due_at, topic, message_key, type, payload)
                SELECT %s, UTC_TIMESTAMP() + INTERVAL 1 DAY, 'orders', CONCAT('key-', b.d, c.d, d.d), 'test', 'x' %s""".formatted(id, rows));
        store.execute("""
                INSERT INTO outbox_dead (lane, seq, id, topic, message_key, type, content_type, payload, created_at, reason, attempts, died_at)
                SELECT a.d, b.d * 200 + c.d * 20 + d.d * 2 + f.d, %s, 'orders', CONCAT('key-', b.d, c.d, d.d), 'test', 'x', 'x',
                       UTC_TIMESTAMP(), 'REJECTED', 1, UTC_TIMESTAMP() %s""".formatted(id, rows));
        for (String table : List.of("outbox_delayed", "outbox_dead")) {
            store.execute("FLUSH TABLES " + table);
            assertThat(store.number("SELECT COUNT(*) FROM " + table)).isEqualTo(ROWS);
        }
    }
}
