package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.HeldMessages.Place;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.TransactionLimits;
import dev.postrider.testservers.StatementRecorder;
import dev.postrider.testservers.StatementRecorder.Recorded;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A topic that is closed at its destination: what waits for it costs the looks for other held rows nothing. */
class PostgresClosedPlaceIT {

    private static final int BACKLOG = 100_000;
    private static final Pattern ROWS = Pattern.compile("(?:actual rows=|Rows Removed by Filter: )([0-9.]+)");
    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();

    @Test
    void readsNoRowOfTheBacklogOfAClosedPlace() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(4));
        outbox.execute("ALTER TABLE {outbox}_held SET (autovacuum_enabled = off)");
        hold(outbox, "closed", BACKLOG, "- interval '1 second'");
        hold(outbox, "closed", BACKLOG / 10, "+ interval '1 hour'");
        hold(outbox, "open", 3, "- interval '1 second'");
        hold(outbox, "later", 3, "+ interval '1 hour'");
        StatementRecorder recorder = new StatementRecorder();
        OutboxStore store = recorded(outbox, recorder);

        DueRows due = store.forRelay(Ordering.PER_KEY).held().fetchDue(request(outbox));

        assertThat(mostRows(outbox, recorder.take())).isBetween(3L, 100L);
        assertThat(due.rows()).hasSize(3).allMatch(row -> row.message().topic().equals("open"));
        assertThat(due.nextDueIn().orElseThrow().toMinutes()).isBetween(30L, 60L);
    }

    /** Subjects of NATS may name single orders. */
    @Test
    void asksForFewTopicsOnlyHoweverManyHaveHeldRows() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(4));
        for (int topic = 0; topic < 300; topic++) {
            hold(outbox, "order-" + topic, 4, "- interval '1 second'");
        }
        hold(outbox, "closed", 4, "- interval '1 second'");
        StatementRecorder recorder = new StatementRecorder();
        OutboxStore store = recorded(outbox, recorder);

        DueRows due = store.forRelay(Ordering.PER_KEY).held().fetchDue(request(outbox));

        assertThat(recorder.take()).hasSizeLessThan(100);
        assertThat(due.rows())
                .hasSize(100)
                .noneMatch(row -> row.message().topic().equals("closed"));
    }

    private static OutboxStore recorded(TestOutbox outbox, StatementRecorder recorder) {
        OutboxStore store = PostgresOutboxStore.builder(recorder.around(POOL))
                .prefix(outbox.table())
                .lanes(4)
                .build();
        recorder.take();
        return store;
    }

    private static DueRequest request(TestOutbox outbox) {
        return new DueRequest(
                Set.of(0, 1, 2, 3),
                new ScanDriver(outbox.store()),
                Set.of(),
                Set.of(new Place("broker", "closed", Optional.empty())),
                Optional.empty(),
                100,
                1 << 20,
                0);
    }

    private static void hold(TestOutbox outbox, String topic, int rows, String due) throws SQLException {
        outbox.execute("""
                INSERT INTO {outbox}_held (lane, seq, id, topic, type, content_type, payload, created_at, destination, attempts,
                                           next_attempt_at, blocked)
                SELECT n %% 4, n + (SELECT coalesce(max(seq), 0) FROM {outbox}_held), gen_random_uuid(), '%s', 'T', 'text/plain',
                       '', now(), 'broker', 1, now() %s, false
                FROM generate_series(1, %d) n""".formatted(topic, due, rows));
    }

    /** The most rows that any step of a statement has read or left out, with the settings of every transaction. */
    private static long mostRows(TestOutbox outbox, List<Recorded> statements) throws SQLException {
        long most = 0;
        try (Connection connection = outbox.begin()) {
            new PostgresDialect(PayloadFormat.BINARY)
                    .begin(
                            connection,
                            Isolation.READ_COMMITTED,
                            new TransactionLimits(Duration.ofMinutes(1), Optional.empty()));
            for (Recorded recorded : statements) {
                if (recorded.sql().contains(outbox.table() + "_held")) {
                    most = Math.max(most, mostRows(connection, recorded));
                }
            }
            connection.rollback();
        }
        return most;
    }

    private static long mostRows(Connection connection, Recorded recorded) throws SQLException {
        long most = 0;
        try (PreparedStatement statement = recorded.prepare(connection, "EXPLAIN (ANALYZE, TIMING OFF) ");
                ResultSet lines = statement.executeQuery()) {
            while (lines.next()) {
                Matcher rows = ROWS.matcher(lines.getString(1));
                most = rows.find() ? Math.max(most, (long) Double.parseDouble(rows.group(1))) : most;
            }
        }
        return most;
    }
}
