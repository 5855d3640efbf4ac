package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.postgres.FetchedBatch.Room;
import dev.postrider.store.postgres.ScanQueries.Claim;
import dev.postrider.store.postgres.ScanQueries.Piece;
import dev.postrider.store.postgres.ScanQueries.Since;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The plans of the hot statements: always the intended index. On a full table whose statistics say that it is empty, and on
 * an empty one, since a session keeps the plan that it made then.
 */
class PostgresPlanIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();
    private static final TestOutbox OUTBOX = TestOutbox.create(POOL, builder -> builder.audit(AuditTrail.PLAIN));
    private static final TestOutbox EMPTY = TestOutbox.create(POOL, builder -> builder.audit(AuditTrail.PLAIN));
    private static final String TX_INDEX = "Index Scan using " + OUTBOX.table() + "_tx_idx";
    private static final String PRIMARY_KEY = "Index Scan using " + OUTBOX.table() + "_pkey";
    private static final FetchRequest REQUEST =
            new FetchRequest(Set.of(0), new ScanDriver(OUTBOX.store()), Set.of(), 1000, 1 << 20);

    private static final JdbcContext CONTEXT = new JdbcContext(
            POOL,
            new PostgresDialect(PayloadFormat.BINARY),
            JdbcStoreOptions.defaults().withPrefix(OUTBOX.table()));
    private static final SnapshotReader READER = new SnapshotReader(CONTEXT);
    private static final ScanQueries QUERIES = new ScanQueries(
            CONTEXT.tables(), new MessageReader(CONTEXT.dialect(), MessageLimits.defaults()).ofUnicode());

    private static Snapshot empty;

    @BeforeAll
    static void fillATableThatWasAnalyzedWhenItWasEmpty() throws SQLException {
        OUTBOX.execute("ALTER TABLE {outbox} SET (autovacuum_enabled = off)");
        OUTBOX.execute("ANALYZE {outbox}");
        empty = Snapshot.of(OUTBOX.query("SELECT pg_current_snapshot()"));
        OUTBOX.execute("""
                INSERT INTO {outbox} (id, topic, message_key, type, payload)
                SELECT gen_random_uuid(), 'orders', 'key-' || i % 1000, 'T', '' FROM generate_series(1, 200000) i""");
        assertThat(OUTBOX.query("SELECT reltuples FROM pg_class WHERE relname = '{outbox}'"))
                .isIn("0", "-1");
    }

    @Test
    void readsTheDifferenceOfSnapshotsByLaneAndTransaction() throws SQLException {
        List<Since> lanes = IntStream.range(0, 16)
                .mapToObj(lane -> new Since(lane, empty, Long.MAX_VALUE))
                .toList();
        for (String plan : plans(QUERIES.difference(lanes, new FetchedBatch(REQUEST)))) {
            assertThat(plan).contains(TX_INDEX).doesNotContain(PRIMARY_KEY);
        }
        for (String plan : plans(QUERIES.lowestOfDifference(lanes, new FetchedBatch(REQUEST)))) {
            assertThat(plan).contains(TX_INDEX).doesNotContain(PRIMARY_KEY);
        }
    }

    @Test
    void readsPagesByLaneAndSeqWithoutSorting() throws SQLException {
        List<Piece> pieces = List.of(
                new Piece(3, 5, Optional.of(empty), Optional.of(empty)),
                new Piece(4, Long.MIN_VALUE, Optional.empty(), Optional.empty()));
        for (String plan : plansOfPages(pieces)) {
            assertThat(plan).contains(PRIMARY_KEY).doesNotContain(TX_INDEX).doesNotContain("Sort");
        }
        Claim claim = new Claim(3, empty, 1000, Optional.of(empty));
        for (String plan : plans(QUERIES.sweep(claim, empty, Set.of(), 100))) {
            assertThat(plan).contains(PRIMARY_KEY).doesNotContain(TX_INDEX).doesNotContain("Sort");
        }
    }

    @Test
    void looksUpKeysByIndex() throws SQLException {
        Piece piece = new Piece(3, 5, Optional.of(empty), Optional.empty());
        for (String plan : plansOfPages(List.of(piece))) {
            assertThat(plan).contains(OUTBOX.table() + "_held_key_idx");
        }
    }

    @Test
    void settlesByPrimaryKey() throws SQLException {
        for (String sql :
                List.of(PostgresRelayStore.delete(CONTEXT.tables()), PostgresRelayStore.keep(CONTEXT.tables()))) {
            assertThat(genericPlan(PostgresRelayStore.PLAN, sql))
                    .contains(PRIMARY_KEY)
                    .doesNotContain("Seq Scan");
            String onEmpty = genericPlan(PostgresRelayStore.PLAN, sql.replace(OUTBOX.table(), EMPTY.table()));
            assertThat(onEmpty).contains(EMPTY.table() + "_pkey").doesNotContain("Seq Scan");
        }
    }

    private static List<String> plansOfPages(List<Piece> pieces) throws SQLException {
        FetchedBatch batch = new FetchedBatch(REQUEST);
        Room share = batch.room().dividedBy(pieces.size());
        List<String> plans = new ArrayList<>(plans(QUERIES.pages(pieces, share, batch)));
        plans.addAll(plans(QUERIES.pagesOfSmallRows(pieces, share, batch)));
        return plans;
    }

    /** As planned for these parameters, and as planned once for all. */
    private static List<String> plans(Query<?> query) throws SQLException {
        Query<String> explain = new Query<>("EXPLAIN " + query.sql(), query.binding(), PostgresPlanIT::lines);
        List<String> plans = List.of(
                READER.read("explain", explain).value(),
                genericPlan(SnapshotReader.settings(), query.sql()),
                genericPlan(SnapshotReader.settings(), query.sql().replace(OUTBOX.table(), EMPTY.table()))
                        .replace(EMPTY.table(), OUTBOX.table()));
        for (String plan : plans) {
            assertThat(plan).doesNotContain("Seq Scan").doesNotContain("Bitmap");
        }
        return plans;
    }

    private static String genericPlan(String settings, String sql) throws SQLException {
        try (Connection connection = OUTBOX.begin();
                Statement statement = connection.createStatement()) {
            statement.execute(settings);
            int parameters = 0;
            StringBuilder numbered = new StringBuilder();
            for (String part : sql.split("\\?", -1)) {
                numbered.append(parameters++ == 0 ? "" : "$" + (parameters - 1)).append(part);
            }
            statement.execute("PREPARE plan AS " + numbered);
            List<String> nulls = new ArrayList<>();
            for (int i = 1; i < parameters; i++) {
                nulls.add("NULL");
            }
            try (ResultSet rows = statement.executeQuery("EXPLAIN EXECUTE plan (" + String.join(", ", nulls) + ")")) {
                return lines(rows);
            } finally {
                statement.execute("DEALLOCATE plan");
            }
        }
    }

    private static String lines(ResultSet rows) throws SQLException {
        StringBuilder lines = new StringBuilder();
        while (rows.next()) {
            lines.append(rows.getString(1)).append('\n');
        }
        return lines.toString();
    }
}
