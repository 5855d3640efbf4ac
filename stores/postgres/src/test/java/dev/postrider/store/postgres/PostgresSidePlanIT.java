package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Delayed messages and dead letters, 200,000 of each, while the server believes that there are none. */
class PostgresSidePlanIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();
    private static final TestOutbox OUTBOX = TestOutbox.create(POOL);

    private final StatementRecorder recorder = new StatementRecorder();
    private final OutboxStore store = PostgresOutboxStore.builder(recorder.around(POOL))
            .prefix(OUTBOX.table())
            .build();
    private final DeadLetters letters = store.deadLetters();

    @BeforeAll
    static void fillTablesThatWereAnalyzedWhenTheyWereEmpty() throws SQLException {
        for (String suffix : new String[] {"_delayed", "_dead"}) {
            OUTBOX.execute("ALTER TABLE {outbox}" + suffix + " SET (autovacuum_enabled = off)");
            OUTBOX.execute("ANALYZE {outbox}" + suffix);
        }
        OUTBOX.execute("""
                INSERT INTO {outbox}_delayed (id, due_at, topic, message_key, type, payload)
                SELECT gen_random_uuid(), now() + interval '1 day', 'orders', 'key-' || i % 1000, 'T', ''
                FROM generate_series(1, 200000) i""");
        OUTBOX.execute("""
                INSERT INTO {outbox}_dead (lane, seq, id, topic, message_key, type, content_type, payload, created_at,
                                           reason, attempts, died_at, retry_requested)
                SELECT i % 16, i, gen_random_uuid(), 'orders', 'key-' || i % 1000, 'T', 'x', '', now(),
                       'REJECTED', 1, now(), false
                FROM generate_series(1, 200000) i""");
    }

    @Test
    void releasesDelayedMessagesByLaneAndTime() throws SQLException {
        store.forRelay(Ordering.PER_KEY).releaseDelayed(Set.of(1, 2, 3), 100);

        assertThat(plans("SELECT id FROM")).contains("_delayed_due_idx").doesNotContain("Seq Scan");
    }

    @Test
    void findsDeadLettersByIdAndByKey() throws SQLException {
        recorder.take();
        letters.list(DeadLetterFilter.byId(new MessageId(1, 2)), Optional.empty(), 10);
        assertThat(plans("SELECT")).contains("_dead_id_idx").doesNotContain("Seq Scan");

        letters.list(DeadLetterFilter.all().withKey("key-123"), Optional.empty(), 10);
        assertThat(plans("SELECT")).contains("_dead_key_idx").doesNotContain("Seq Scan");
    }

    @Test
    void listsDeadLettersInOrderOfTheirPrimaryKey() throws SQLException {
        recorder.take();
        letters.list(DeadLetterFilter.all(), Optional.empty(), 10);

        assertThat(plans("SELECT")).contains("_dead_pkey").doesNotContain("Seq Scan");
    }

    @Test
    void looksForRequestedRetriesInTheIndexOfThose() throws SQLException {
        var lease = store.leases()
                .take(1, "relay", Duration.ofMinutes(1))
                .orElseThrow()
                .lease();
        recorder.take();
        store.forRelay(Ordering.PER_KEY).held().adoptRetries(lease, 10);

        assertThat(plans("SELECT lane, seq, id, message_key FROM"))
                .contains("_dead_retry_idx")
                .doesNotContain("Seq Scan");
    }

    @Test
    void expiresDeadLettersByTime() throws SQLException {
        store.maintenance().deleteDeadLetters(Duration.ofDays(1), 10);

        assertThat(plans("SELECT lane, seq, id FROM"))
                .contains("_dead_died_idx")
                .doesNotContain("Seq Scan");
    }

    /** The plans of the recorded statements with this beginning, made with the settings of every transaction. */
    private String plans(String beginning) throws SQLException {
        StringBuilder plans = new StringBuilder();
        try (Connection connection = OUTBOX.begin()) {
            new PostgresDialect(PayloadFormat.BINARY)
                    .begin(
                            connection,
                            Isolation.READ_COMMITTED,
                            new TransactionLimits(Duration.ofMinutes(1), Optional.empty()));
            for (Recorded statement : recorder.take()) {
                if (statement.sql().startsWith(beginning) && statement.sql().contains(OUTBOX.table())) {
                    explain(connection, statement, plans);
                }
            }
            connection.rollback();
        }
        return plans.toString();
    }

    private static void explain(Connection connection, Recorded recorded, StringBuilder plans) throws SQLException {
        try (PreparedStatement statement = recorded.prepare(connection, "EXPLAIN ");
                ResultSet lines = statement.executeQuery()) {
            while (lines.next()) {
                plans.append(lines.getString(1)).append('\n');
            }
        }
    }
}
