package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads due held rows in steps: an overview of the lanes, which is all that happens while nothing is held; the due rows and
 * their followers without payloads, until the limits are reached; then the payloads of exactly those.
 *
 * <p>The steps may see different states, which does no harm: only the owner of a lane changes its held rows.
 */
final class DueReader {

    private static final Logger LOG = LoggerFactory.getLogger(DueReader.class);
    private static final int HEADS_PER_STATEMENT = 50;

    private final JdbcContext context;
    private final MessageReader reader;
    private final HeldOverview overview;

    DueReader(JdbcContext context) {
        this.context = context;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
        this.overview = new HeldOverview(context);
    }

    DueRows read(Connection connection, DueRequest request) throws SQLException {
        HeldOverview.Result lanes = overview.read(connection, request);
        if (lanes.lanesWithHeld().isEmpty()) {
            return new DueRows(List.of(), Optional.empty(), lanes.lanesWithHeld(), lanes.databaseTime());
        }
        HeldSelection selection = select(connection, request);
        Optional<Duration> nextDueIn = selection.isFull() ? Optional.of(Duration.ZERO) : lanes.nextDueIn();
        return new DueRows(
                messages(connection, selection.rows()), nextDueIn, lanes.lanesWithHeld(), lanes.databaseTime());
    }

    private HeldSelection select(Connection connection, DueRequest request) throws SQLException {
        HeldSelection selection = new HeldSelection(request);
        List<HeldCandidate> heads = heads(connection, request).stream()
                .filter(head ->
                        !request.known().contains(head.ref().lane(), head.ref().seq()))
                .toList();
        for (List<HeldCandidate> chunk : SqlList.chunks(heads, HEADS_PER_STATEMENT)) {
            Map<HeldGroup, List<HeldCandidate>> followers = followers(connection, chunk, request);
            for (HeldCandidate head : chunk) {
                selection.add(head, head.group().map(followers::get).orElse(null));
            }
            if (selection.isFull()) {
                break;
            }
        }
        return selection;
    }

    private List<HeldCandidate> heads(Connection connection, DueRequest request) throws SQLException {
        // Of so many rows at most the known ones can be left out.
        long limit = 1L + request.maxRows();
        for (int lane : request.lanes()) {
            limit += request.known().seqs(lane).length;
        }
        try (SqlStatement statement = context.prepare(connection, headsSql(request))) {
            return statement
                    .withInts(request.lanes())
                    .withTexts(request.excludedTopics())
                    .with(limit)
                    .list(this::candidate);
        }
    }

    /** Index (lane, next_attempt_at). Under global order a row that is not the first of all cannot be due. */
    private String headsSql(DueRequest request) {
        return """
                SELECT %s FROM %s h
                WHERE h.lane IN (%s) AND h.blocked = FALSE AND h.next_attempt_at <= %s%s%s
                ORDER BY h.next_attempt_at, h.seq LIMIT ?""".formatted(
                        candidateColumns(),
                        context.tables().held(),
                        SqlList.of("?", request.lanes().size()),
                        context.dialect().now(),
                        HeldOverview.topicCondition(request),
                        request.ordering() == Ordering.GLOBAL ? " AND " + isFirstOfLane() : "");
    }

    private String isFirstOfLane() {
        return "NOT EXISTS (SELECT 1 FROM %s e WHERE e.lane = h.lane AND e.seq < h.seq)"
                .formatted(context.tables().held());
    }

    private Map<HeldGroup, List<HeldCandidate>> followers(
            Connection connection, List<HeldCandidate> heads, DueRequest request) throws SQLException {
        Map<HeldGroup, List<HeldCandidate>> followers = new HashMap<>();
        List<HeldCandidate> keyed =
                heads.stream().filter(head -> head.key().isPresent()).toList();
        if (keyed.isEmpty() || request.followers() == 0 || request.ordering() != Ordering.PER_KEY) {
            return followers;
        }
        try (SqlStatement statement = context.prepare(connection, followersSql(keyed.size()))) {
            for (HeldCandidate head : keyed) {
                statement
                        .with(head.ref().lane())
                        .with(head.key())
                        .with(head.ref().seq())
                        .with(request.followers());
            }
            for (HeldCandidate row : statement.list(this::candidate)) {
                followers
                        .computeIfAbsent(row.group().orElseThrow(), group -> new ArrayList<>())
                        .add(row);
            }
        }
        return followers;
    }

    /** Index (lane, message_key, seq), one range for each head. */
    private String followersSql(int heads) {
        String one = "(SELECT %s FROM %s h WHERE h.lane = ? AND h.message_key = ? AND h.seq > ? ORDER BY h.seq LIMIT ?)"
                .formatted(candidateColumns(), context.tables().held());
        return String.join(" UNION ALL ", Collections.nCopies(heads, one));
    }

    private String candidateColumns() {
        return "h.lane, h.seq, h.id, h.message_key, h.topic, h.blocked, " + reader.payloadBytes("h") + " AS bytes";
    }

    private HeldCandidate candidate(ResultSet row) throws SQLException {
        return new HeldCandidate(
                reader.ref(row),
                reader.key(row),
                row.getString("topic"),
                row.getBoolean("blocked"),
                row.getLong("bytes"));
    }

    private List<OutboxRow.Held> messages(Connection connection, List<RowRef> refs) throws SQLException {
        Map<RowRef, OutboxRow.Held> found = new HashMap<>();
        for (List<RowRef> chunk : SqlList.chunks(refs, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "SELECT %s, h.attempts FROM %s h%s WHERE %s"
                    .formatted(
                            reader.columns("h"),
                            context.tables().held(),
                            context.dialect().rowsHint(),
                            predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(predicate).list(this::message).forEach(row -> row.ifPresent(r -> found.put(r.ref(), r)));
            }
        }
        return refs.stream().filter(found::containsKey).map(found::get).toList();
    }

    private Optional<OutboxRow.Held> message(ResultSet row) throws SQLException {
        RowContent content = reader.read(row);
        if (content instanceof RowContent.Readable held) {
            return Optional.of(
                    new OutboxRow.Held(held.ref(), held.message(), held.createdAt(), row.getInt("attempts")));
        }
        // Nothing unreadable is ever put into held: somebody has changed the row by hand.
        LOG.error(
                "Held message {} of lane {} cannot be read any more and stays held; repair or delete its row",
                content.ref().id(),
                content.ref().lane());
        return Optional.empty();
    }
}
