package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldLine;
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

/**
 * Reads due held rows in steps: an overview of the lanes, which is all that happens while nothing is held; the due rows and
 * their followers without payloads, until the limits are reached; then the payloads of exactly those.
 *
 * <p>The steps may see different states, which does no harm: only the owner of a lane changes its held rows.
 */
final class DueReader {

    private static final int HEADS_PER_STATEMENT = 50;

    private final JdbcContext context;
    private final MessageReader reader;
    private final HeldOverview overview;
    private final HeldContents contents;

    DueReader(JdbcContext context) {
        this.context = context;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
        this.overview = new HeldOverview(context);
        this.contents = new HeldContents(context);
    }

    DueRows read(Connection connection, DueRequest request) throws SQLException {
        Chosen chosen = choose(connection, request);
        return chosen.with(contents.read(connection, chosen.rows()));
    }

    /** The same in transactions of its own, where a row makes a statement fail. */
    DueRows readDamaged(DueRequest request) {
        Chosen chosen = context.transactions().inTransaction("look for due held rows", c -> choose(c, request));
        return chosen.with(contents.readDamaged(chosen.rows()));
    }

    private Chosen choose(Connection connection, DueRequest request) throws SQLException {
        HeldOverview.Result lanes = overview.read(connection, request);
        if (lanes.lanesWithHeld().isEmpty()) {
            return new Chosen(List.of(), Optional.empty(), lanes);
        }
        HeldSelection selection = select(connection, request);
        Optional<Duration> nextDueIn = selection.isFull() ? Optional.of(Duration.ZERO) : lanes.nextDueIn();
        return new Chosen(selection.rows(), nextDueIn, lanes);
    }

    private record Chosen(List<RowRef> rows, Optional<Duration> nextDueIn, HeldOverview.Result lanes) {

        DueRows with(List<OutboxRow.Held> contents) {
            return new DueRows(contents, nextDueIn, lanes.lanesWithHeld(), lanes.databaseTime());
        }
    }

    private HeldSelection select(Connection connection, DueRequest request) throws SQLException {
        HeldSelection selection = new HeldSelection(request);
        List<HeldCandidate> heads = heads(connection, request).stream()
                .filter(head ->
                        !request.known().contains(head.ref().lane(), head.ref().seq()))
                .toList();
        for (List<HeldCandidate> chunk : SqlList.chunks(heads, HEADS_PER_STATEMENT)) {
            Map<HeldLine, List<HeldCandidate>> followers = followers(connection, chunk, request);
            for (HeldCandidate head : chunk) {
                selection.add(head, head.line().map(followers::get).orElse(null));
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
            statement.withInts(request.lanes());
            HeldOverview.bindExclusion(statement, request);
            return statement.with(limit).list(this::candidate);
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
                        overview.exclusion(request),
                        request.ordering() == Ordering.GLOBAL ? " AND " + isFirstOfLane() : "");
    }

    private String isFirstOfLane() {
        return "NOT EXISTS (SELECT 1 FROM %s e WHERE e.lane = h.lane AND e.seq < h.seq)"
                .formatted(context.tables().held());
    }

    private Map<HeldLine, List<HeldCandidate>> followers(
            Connection connection, List<HeldCandidate> heads, DueRequest request) throws SQLException {
        Map<HeldLine, List<HeldCandidate>> followers = new HashMap<>();
        List<HeldCandidate> keyed =
                heads.stream().filter(head -> head.line().isPresent()).toList();
        if (keyed.isEmpty() || request.followers() == 0 || request.ordering() != Ordering.PER_KEY) {
            return followers;
        }
        try (SqlStatement statement = context.prepare(connection, followersSql(keyed.size()))) {
            for (HeldCandidate head : keyed) {
                statement
                        .with(head.ref().lane())
                        .with(head.key())
                        .with(head.destination())
                        .with(head.ref().seq())
                        .with(request.followers());
            }
            for (HeldCandidate row : statement.list(this::candidate)) {
                followers
                        .computeIfAbsent(row.line().orElseThrow(), line -> new ArrayList<>())
                        .add(row);
            }
        }
        return followers;
    }

    /** The index of lines, one range for each head. */
    private String followersSql(int heads) {
        String one = """
                (SELECT %s FROM %s h%s
                 WHERE h.lane = ? AND h.message_key = ? AND h.destination = ? AND h.seq > ? ORDER BY h.seq LIMIT ?)""".formatted(candidateColumns(), context.tables().held(), context.heldLineHint());
        return String.join(" UNION ALL ", Collections.nCopies(heads, one));
    }

    private String candidateColumns() {
        return "h.lane, h.seq, h.id, %s AS message_key, h.destination, h.blocked, %s AS bytes"
                .formatted(context.dialect().possibleText("h.message_key"), reader.payloadBytes("h"));
    }

    private HeldCandidate candidate(ResultSet row) throws SQLException {
        return new HeldCandidate(
                reader.ref(row),
                reader.key(row),
                Optional.ofNullable(row.getString("destination")),
                row.getBoolean("blocked"),
                row.getLong("bytes"));
    }
}
