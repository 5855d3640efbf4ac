package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.HeldMessages.Place;
import dev.postrider.spi.Ordering;
import dev.postrider.testservers.NotOnTidb;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A topic that is closed at its destination: what waits for it costs the looks for other held rows nothing. */
class ClosedPlaceIT {

    private static final int BACKLOG = 100_000;

    @NotOnTidb("it counts InnoDB's reads")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void readsNoRowOfTheBacklogOfAClosedPlace(TestServer server) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("closed")) {
            TestStore store = TestStore.create(dataSource, 4);
            hold(store, "closed", BACKLOG, "- INTERVAL 1 SECOND");
            hold(store, "closed", BACKLOG / 10, "+ INTERVAL 1 HOUR");
            hold(store, "open", 3, "- INTERVAL 1 SECOND");
            hold(store, "later", 3, "+ INTERVAL 1 HOUR");
            long before = rowsRead(store);

            DueRows due = store.store().forRelay(Ordering.PER_KEY).held().fetchDue(request(store));

            assertThat(rowsRead(store) - before).isLessThan(500);
            assertThat(due.rows())
                    .hasSize(3)
                    .allMatch(row -> row.message().topic().equals("open"));
            assertThat(due.nextDueIn().orElseThrow().toMinutes()).isBetween(30L, 60L);
        }
    }

    private static DueRequest request(TestStore store) {
        ScanSession nothingKnown = new ScanSession(store, Set.of());
        return new DueRequest(
                Set.of(0, 1, 2, 3),
                nothingKnown,
                Set.of(),
                Set.of(new Place("broker", "closed", Optional.empty())),
                Optional.empty(),
                100,
                1 << 20,
                0);
    }

    private static void hold(TestStore store, String topic, int rows, String due) throws SQLException {
        store.execute("CREATE TABLE IF NOT EXISTS digit (d INT)");
        if (store.number("SELECT COUNT(*) FROM digit") == 0) {
            store.execute("INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        }
        long above = store.number("SELECT COALESCE(MAX(seq), 0) + 1 FROM outbox_held");
        store.execute("""
                INSERT INTO outbox_held (lane, seq, id, topic, type, content_type, payload, created_at, destination, attempts,
                                         next_attempt_at, blocked)
                SELECT n %% 4, %1$d + n, UNHEX(LEFT(SHA2(CONCAT('%2$s', %1$d + n), 256), 32)), '%2$s', 'T', 'text/plain', '',
                       UTC_TIMESTAMP(6), 'broker', 1, UTC_TIMESTAMP(6) %3$s, FALSE
                FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n
                      FROM digit a, digit b, digit c, digit e, digit f) numbers
                WHERE n < %4$d""".formatted(above, topic, due, rows));
    }

    private static long rowsRead(TestStore store) throws SQLException {
        return store.number("SHOW GLOBAL STATUS LIKE 'Handler_read_next'")
                + store.number("SHOW GLOBAL STATUS LIKE 'Handler_read_key'");
    }
}
