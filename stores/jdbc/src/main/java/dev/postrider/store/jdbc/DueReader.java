package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.HeldPlaces.OpenPlace;
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
    private final Ordering ordering;
    private final HeldPlaces places;
    private final HeldContents contents;

    DueReader(JdbcContext context, Ordering ordering) {
        this.context = context;
        this.ordering = ordering;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
        this.overview = new HeldOverview(context);
        this.places = new HeldPlaces(context);
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
        if (HeldOverview.byPlace(request)) {
            Optional<List<OpenPlace>> open = places.read(connection, request);
            if (open.isPresent()) {
                return choose(
                        connection,
                        request,
                        dueRows(connection, request, open.get()),
                        lanes.with(places.nextDueIn(connection, open.get())));
            }
        }
        return choose(connection, request, heads(connection, request), lanes);
    }

    private Chosen choose(
            Connection connection, DueRequest request, List<HeldCandidate> heads, HeldOverview.Result lanes)
            throws SQLException {
        HeldSelection selection = select(connection, request, heads);
        return new Chosen(selection.rows(), selection.isFull() ? Optional.of(Duration.ZERO) : lanes.nextDueIn(), lanes);
    }

    private record Chosen(List<RowRef> rows, Optional<Duration> nextDueIn, HeldOverview.Result lanes) {

        DueRows with(List<OutboxRow.Held> contents) {
            return new DueRows(contents, nextDueIn, lanes.lanesWithHeld(), lanes.databaseTime());
        }
    }

    private HeldSelection select(Connection connection, DueRequest request, List<HeldCandidate> heads)
            throws SQLException {
        HeldSelection selection = new HeldSelection(request);
        List<HeldCandidate> unknown = heads.stream()
                .filter(head ->
                        !request.known().contains(head.ref().lane(), head.ref().seq()))
                .toList();
        for (List<HeldCandidate> chunk : SqlList.chunks(unknown, HEADS_PER_STATEMENT)) {
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

    private static long limit(DueRequest request) {
        // Of this many rows at most the known ones can be left out.
        long limit = 1L + request.maxRows();
        for (int lane : request.lanes()) {
            limit += request.known().seqs(lane).length;
        }
        return limit;
    }

    private List<HeldCandidate> dueRows(Connection connection, DueRequest request, List<OpenPlace> open)
            throws SQLException {
        var wanted = new HeldPlaces.DueColumns<>(
                candidateColumns(), firstUnderGlobalOrder(), limit(request), this::candidate);
        return places.due(connection, open, wanted);
    }

    private List<HeldCandidate> heads(Connection connection, DueRequest request) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, headsSql(request))) {
            statement.withInts(request.lanes());
            HeldOverview.bindDestinations(statement, request);
            HeldPlaces.bindExclusion(statement, request);
            return statement.with(limit(request)).list(this::candidate);
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
                        HeldOverview.destinationCondition(request) + places.exclusion(request),
                        firstUnderGlobalOrder());
    }

    private String firstUnderGlobalOrder() {
        return ordering == Ordering.GLOBAL
                ? " AND NOT EXISTS (SELECT 1 FROM %s e WHERE e.lane = h.lane AND e.seq < h.seq)"
                        .formatted(context.tables().held())
                : "";
    }

    private Map<HeldLine, List<HeldCandidate>> followers(
            Connection connection, List<HeldCandidate> heads, DueRequest request) throws SQLException {
        Map<HeldLine, List<HeldCandidate>> followers = new HashMap<>();
        List<HeldCandidate> keyed =
                heads.stream().filter(head -> head.line().isPresent()).toList();
        if (keyed.isEmpty() || request.followers() == 0 || ordering != Ordering.PER_KEY) {
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
