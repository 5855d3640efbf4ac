package dev.postrider.store.h2;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.store.h2.H2LaneScan.Candidate;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.RowContent;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SqlList;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads from the head at every fetch, and so needs to remember nothing: whatever has committed, however late, is there.
 *
 * <p>A fetch is one statement without payloads, in one snapshot with the look-ups of keys, and a second one for the payloads
 * of the rows that fit. Between the two a row can only disappear, since rows of the hot table never change.
 */
final class H2LaneScan implements LaneScan {

    private final JdbcContext context;
    private final MessageReader reader;

    H2LaneScan(JdbcContext context) {
        this.context = context;
        this.reader = new MessageReader(context.dialect(), context.limits());
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        return context.transactions().inTransaction("fetch", connection -> {
            List<Candidate> unknown = candidates(connection, request).stream()
                    .filter(row -> !request.known()
                            .contains(row.ref().lane(), row.ref().seq()))
                    .toList();
            List<Candidate> page = request.fitting(unknown, Candidate::bytes);
            return new Fetched(rows(connection, page), page.size() < unknown.size(), false, now(connection));
        });
    }

    private List<Candidate> candidates(Connection connection, FetchRequest request) throws SQLException {
        // Of this many rows at most the known ones can be left out; one more shows whether there is more.
        long limit = 1L + request.maxRows();
        for (int lane : request.lanes()) {
            limit += request.known().seqs(lane).length;
        }
        try (SqlStatement statement = context.prepare(connection, candidatesSql(request))) {
            return statement
                    .withInts(request.lanes())
                    .withTexts(request.excludedTopics())
                    .with(limit)
                    .list(this::candidate);
        }
    }

    /** USE INDEX () is the primary key: without it H2 takes the index on lane and sorts the whole backlog at every fetch. */
    String candidatesSql(FetchRequest request) {
        return """
            SELECT o.lane, o.seq, o.id, %1$s AS bytes,
                   EXISTS (SELECT 1 FROM %2$s h WHERE h.lane = o.lane AND h.message_key = o.message_key) AS held
            FROM %3$s o USE INDEX ()
            WHERE o.lane IN (%4$s)%5$s
            ORDER BY o.seq LIMIT ?\
            """.formatted(
                        reader.payloadBytes("o"),
                        context.tables().held(),
                        context.tables().hot(),
                        SqlList.of("?", request.lanes().size()),
                        except(request.excludedTopics()));
    }

    private static String except(Set<String> topics) {
        return topics.isEmpty() ? "" : " AND o.topic NOT IN (" + SqlList.of("?", topics.size()) + ")";
    }

    private Candidate candidate(ResultSet row) throws SQLException {
        KeyState held = row.getBoolean("held") ? KeyState.HELD : KeyState.FREE;
        return new Candidate(reader.ref(row), row.getLong("bytes"), held);
    }

    private List<OutboxRow> rows(Connection connection, List<Candidate> candidates) throws SQLException {
        Map<RowRef, OutboxRow> found = new HashMap<>();
        Map<RowRef, KeyState> keyStates = new HashMap<>();
        candidates.forEach(candidate -> keyStates.put(candidate.ref(), candidate.keyState()));
        List<RowRef> refs = candidates.stream().map(Candidate::ref).toList();
        for (List<RowRef> chunk : SqlList.chunks(refs, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "SELECT %s FROM %s o WHERE %s"
                    .formatted(reader.columns("o"), context.tables().hot(), predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(predicate).list(row -> read(row, keyStates)).forEach(row -> found.put(row.ref(), row));
            }
        }
        return refs.stream().filter(found::containsKey).map(found::get).toList();
    }

    private OutboxRow read(ResultSet row, Map<RowRef, KeyState> keyStates) throws SQLException {
        RowContent content = reader.read(row);
        return content.hot(keyStates.getOrDefault(content.ref(), KeyState.FREE));
    }

    private Instant now(Connection connection) throws SQLException {
        String sql = "SELECT " + context.dialect().now() + " AS database_time";
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement
                    .first(row -> context.dialect().getInstant(row, row.findColumn("database_time")))
                    .orElseThrow();
        }
    }

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        String sql = """
            SELECT o.seq FROM %s o WHERE o.lane = ? AND o.created_at <= %s%s
            ORDER BY o.lane, o.seq LIMIT ?\
            """.formatted(context.tables().hot(), context.dialect().nowPlusMicros(), except(excludedTopics));
        return context.transactions().inTransaction("sweep lane " + lane, connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                List<Long> seqs = statement
                        .with(lane)
                        .with(minAge.negated())
                        .withTexts(excludedTopics)
                        .with(limit)
                        .list(row -> row.getLong("seq"));
                return seqs.stream().mapToLong(Long::longValue).toArray();
            }
        });
    }

    /** A row before its payload is read. */
    record Candidate(RowRef ref, long bytes, KeyState keyState) {}
}
