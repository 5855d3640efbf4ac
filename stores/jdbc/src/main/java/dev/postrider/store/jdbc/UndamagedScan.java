package dev.postrider.store.jdbc;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets another scan go on when one row makes its pages fail: finds that row, and returns it as unreadable. Once it is given up,
 * the other scan reads what it could not read before.
 */
final class UndamagedScan implements LaneScan {

    /** With this many damaged rows and not one that can be read, the rows are not the cause. */
    private static final int SUSPICIOUSLY_MANY = 10;

    private static final int MAX_ROWS_TOGETHER = 100;

    private final JdbcContext context;
    private final LaneScan scan;
    private final MessageReader reader;

    UndamagedScan(JdbcContext context, LaneScan scan) {
        this.context = context;
        this.scan = scan;
        this.reader = new MessageReader(context.dialect(), context.limits());
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        try {
            return scan.fetch(request);
        } catch (StoreException failure) {
            List<OutboxRow> damaged = DamagedRows.isCauseOf(failure) ? damaged(request, failure) : List.of();
            if (damaged.isEmpty()) {
                throw failure;
            }
            return new Fetched(damaged, true, false, databaseTime());
        }
    }

    private List<OutboxRow> damaged(FetchRequest request, StoreException failure) {
        List<RowRef> refs = context.transactions().inTransaction("look for damaged rows", connection -> {
            List<RowRef> first = new ArrayList<>();
            for (Set<Integer> lanes : lanesOfOneStatement(request)) {
                first.addAll(firstRows(connection, lanes, request));
            }
            return first;
        });
        List<Optional<OutboxRow>> looked = new ArrayList<>();
        for (List<RowRef> chunk : SqlList.chunks(refs, rowsTogether(request))) {
            looked.addAll(DamagedRows.read(chunk, this::look, UndamagedScan::unreadable));
            if (looked.stream().anyMatch(Optional::isPresent) && looked.stream().anyMatch(Optional::isEmpty)) {
                // A culprit is enough: to read on could outlast the lease.
                break;
            }
        }
        List<OutboxRow> damaged = looked.stream().flatMap(Optional::stream).toList();
        if (damaged.size() >= SUSPICIOUSLY_MANY && damaged.size() == looked.size()) {
            throw failure;
        }
        return damaged;
    }

    private List<Set<Integer>> lanesOfOneStatement(FetchRequest request) {
        return context.dialect().hasLaneIndex()
                ? request.lanes().stream().map(Set::of).toList()
                : List.of(request.lanes());
    }

    /** Names only: enough for a full page, beside those that are known. */
    private List<RowRef> firstRows(Connection connection, Set<Integer> lanes, FetchRequest request)
            throws SQLException {
        long known = lanes.stream()
                .mapToLong(lane -> request.known().seqs(lane).length)
                .sum();
        String topics = request.excludedTopics().isEmpty()
                ? ""
                : " AND topic NOT IN ("
                        + SqlList.of("?", request.excludedTopics().size()) + ")";
        String sql = "SELECT lane, seq, id FROM %s%s WHERE lane IN (%s)%s ORDER BY seq LIMIT ?"
                .formatted(
                        context.tables().hot(),
                        context.dialect().indexHint(context.tables(), ""),
                        SqlList.of("?", lanes.size()),
                        topics);
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement
                    .withInts(lanes)
                    .withTexts(request.excludedTopics())
                    .with(known + request.maxRows())
                    .list(reader::ref)
                    .stream()
                    .filter(ref -> !request.known().contains(ref.lane(), ref.seq()))
                    .toList();
        }
    }

    /** So few that they have room in memory, whatever their sizes. */
    private int rowsTogether(FetchRequest request) {
        long fitting = request.maxBytes() / Math.max(1, context.limits().maxPayloadBytes());
        return (int) Math.min(MAX_ROWS_TOGETHER, Math.max(1, fitting));
    }

    /** Nothing of rows that can be read: the other scan returns them. */
    private List<Optional<OutboxRow>> look(List<RowRef> refs) {
        RowPredicate predicate = context.dialect().rows(refs);
        String sql = "SELECT %s FROM %s h%s WHERE %s"
                .formatted(
                        reader.columns("h"),
                        context.tables().hot(),
                        context.dialect().indexHint(context.tables(), ""),
                        predicate.sql());
        return context.transactions().inTransaction("look at single rows", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return statement.with(predicate).list(this::look);
            }
        });
    }

    private Optional<OutboxRow> look(ResultSet row) throws SQLException {
        reader.read(row);
        return Optional.empty();
    }

    private static Optional<OutboxRow> unreadable(RowRef ref, String reason) {
        return Optional.of(new OutboxRow.Unreadable(ref, Optional.empty(), Instant.EPOCH, KeyState.FREE, reason));
    }

    private Instant databaseTime() {
        String sql = "SELECT " + context.dialect().now() + " AS present";
        return context.transactions().inTransaction("ask for the time", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return statement
                        .first(row -> context.dialect().getInstant(row, 1))
                        .orElseThrow();
            }
        });
    }

    @Override
    public void add(TakenLane lane) {
        scan.add(lane);
    }

    @Override
    public void remove(int lane) {
        scan.remove(lane);
    }

    @Override
    public void restart(int lane) {
        scan.restart(lane);
    }

    @Override
    public void retain(KnownRows known) {
        scan.retain(known);
    }

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return scan.sweep(lane, excludedTopics, minAge, limit);
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        return scan.position(lane, lowestUnsettled);
    }
}
