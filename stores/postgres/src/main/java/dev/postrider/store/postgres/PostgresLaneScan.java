package dev.postrider.store.postgres;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.store.postgres.ScanQueries.Claim;
import dev.postrider.store.postgres.ScanQueries.Piece;
import dev.postrider.store.postgres.ScanQueries.Since;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads each lane by the difference between two snapshots, so that a transaction which drew its seq early and committed late
 * is neither missed nor waited for.
 *
 * <p>Every read is one short read-only transaction with its snapshot S2. Lanes whose rows up to a snapshot S1 were all
 * returned are read together: what is visible in S2 and was not in S1, by seq. If that is more than fits, the lanes become
 * windows from S1 to S2, which are read by pages; so is a lane read from its head. See
 * {@link LaneProgress}.
 *
 * <p>Nothing is remembered before a result was read to its end: after an error the same rows come again. When the
 * incarnation token shows another run of the server, transaction numbers may have been used twice, and all is forgotten.
 */
final class PostgresLaneScan implements LaneScan {

    /** character_not_in_repertoire: one text makes the whole statement fail. */
    private static final String NOT_UNICODE = "22021";

    /** In rows: shorter pages would not be worth their search in the index. */
    private static final int SMALLEST_SHARE = 16;

    private final SnapshotReader reader;
    private final ScanQueries ofAnyText;
    private final SnapshotHistory history = new SnapshotHistory();

    /** In the order in which paged lanes take turns. */
    private final Map<Integer, ScannedLane> lanes = new LinkedHashMap<>();

    private ScanQueries queries;
    private PageReader pages;
    private @Nullable Moment latest;
    private boolean pagesFirst = true;

    /** @param ofAnyText slower, and used from the first text on that is not Unicode */
    PostgresLaneScan(SnapshotReader reader, ScanQueries ofUnicode, ScanQueries ofAnyText) {
        this.reader = reader;
        this.queries = ofUnicode;
        this.ofAnyText = ofAnyText;
        this.pages = new PageReader(queries);
    }

    @Override
    public void add(TakenLane taken) {
        int lane = taken.lease().lane();
        lanes.put(lane, new ScannedLane(lane, taken.savedPosition().flatMap(SavedPosition::parse)));
    }

    @Override
    public void remove(int lane) {
        lanes.remove(lane);
    }

    @Override
    public void restart(int lane) {
        ScannedLane scanned = lanes.get(lane);
        if (scanned != null) {
            scanned.restart();
        }
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        ScannedLane scanned = lanes.get(lane);
        return scanned == null || latest == null
                ? Optional.empty()
                : scanned.position(latest.incarnation(), lowestUnsettled).map(SavedPosition::format);
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        FetchedBatch batch = new FetchedBatch(request);
        try {
            if (latest == null || lanesOf(batch).isEmpty()) {
                // Only with the token known can a saved position be told from one that another server wrote.
                read("read the snapshot", queries.nothing());
            }
            boolean more = fill(batch);
            return new Fetched(batch.rows(), more, false, latest().time());
        } catch (ServerReplacedException replaced) {
            startAnew(replaced.moment);
            return new Fetched(List.of(), true, true, replaced.moment.time());
        } catch (RuntimeException failure) {
            // Their rows were passed, and will not reach the caller.
            batch.lanes().forEach(this::restart);
            if (queries == ofAnyText || !isNotUnicode(failure)) {
                throw failure;
            }
            queries = ofAnyText;
            pages = new PageReader(queries);
            return fetch(request);
        }
    }

    private static boolean isNotUnicode(RuntimeException failure) {
        return failure.getCause() instanceof SQLException error && NOT_UNICODE.equals(error.getSQLState());
    }

    /**
     * Pages and differences go first in turn, so that neither a backlog nor steady traffic keeps the other waiting.
     *
     * @return whether there is probably more
     */
    private boolean fill(FetchedBatch batch) {
        boolean pagesWereFirst = pagesFirst && hasPages(batch);
        pagesFirst = !pagesWereFirst;
        if (!pagesWereFirst) {
            readDifference(batch);
        }
        boolean paged = readPages(batch);
        boolean complete = !paged;
        // Into little room a difference would not fit and be cut into windows: better next time, when it goes first.
        if (pagesWereFirst && !batch.isHalfFull()) {
            readDifference(batch);
            complete = true;
        }
        return batch.isFull() || hasPages(batch) || (!complete && !batch.isEmpty());
    }

    /** Pages of the lanes whose turn it is, until the batch is full; whether there were any. */
    private boolean readPages(FetchedBatch batch) {
        boolean any = hasPages(batch);
        List<ScannedLane> left = pagedLanes(batch);
        while (!left.isEmpty() && !batch.isFull()) {
            left.removeAll(readPages(readableTogether(left, batch), batch));
        }
        if (any && batch.isEmpty() && hasPages(batch)) {
            // The shares of all were too small for their next rows: now one has all of the room.
            readPages(pagedLanes(batch).subList(0, 1), batch);
        }
        return any;
    }

    /** The first lane alone, or all that can share the room with it. */
    private static List<ScannedLane> readableTogether(List<ScannedLane> paged, FetchedBatch batch) {
        ScannedLane first = paged.get(0);
        return isReadAlone(first, batch)
                ? List.of(first)
                : paged.stream()
                        .filter(lane -> !isReadAlone(lane, batch))
                        .limit(Math.max(1, batch.room().rows() / SMALLEST_SHARE))
                        .toList();
    }

    /** For known rows, which must not come again, the statement takes one lane: a seq tells a row only within its lane. */
    private static boolean isReadAlone(ScannedLane lane, FetchedBatch batch) {
        return lane.needsAllRoom() || !lane.nextPiece().knownOf(batch).isEmpty();
    }

    private List<ScannedLane> readPages(List<ScannedLane> together, FetchedBatch batch) {
        List<Piece> pieces = together.stream().map(ScannedLane::nextPiece).toList();
        FoundPages found = pages.read(pieces, batch, query -> read("read lanes " + numbers(together), query));
        together.forEach(lane -> pageRead(lane, found, batch));
        return together;
    }

    private void pageRead(ScannedLane lane, FoundPages found, FetchedBatch batch) {
        batch.add(lane.pageRead(found));
        lane.passOver(batch.excludedTopics());
        if (!lane.needsAllRoom()) {
            lanes.remove(lane.number());
            lanes.put(lane.number(), lane);
        }
    }

    private static String numbers(List<ScannedLane> lanes) {
        return lanes.stream().map(lane -> String.valueOf(lane.number())).collect(joining(", "));
    }

    /** What is new in all lanes that are not paged. */
    private void readDifference(FetchedBatch batch) {
        List<ScannedLane> open =
                lanesOf(batch).stream().filter(lane -> !lane.isPaged()).toList();
        if (open.isEmpty()) {
            return;
        }
        List<Since> since = open.stream().map(ScannedLane::nextDifference).toList();
        Observed<List<FoundRow>> found = read("read new rows", queries.difference(since, batch));
        if (found.value().size() > batch.room().rows()) {
            openWindows(open, since, batch);
        } else {
            differenceRead(open, firstLeft(found.value()), found.moment(), batch);
            batch.add(found.value());
        }
    }

    /** Too much to return at once: finds where the pages of each lane begin, so that they need not begin at its head. */
    private void openWindows(List<ScannedLane> open, List<Since> since, FetchedBatch batch) {
        Observed<Map<Integer, Long>> lowest =
                read("find the lowest new rows", queries.lowestOfDifference(since, batch));
        differenceRead(open, lowest.value(), lowest.moment(), batch);
    }

    private static void differenceRead(
            List<ScannedLane> open, Map<Integer, Long> firstLeft, Moment moment, FetchedBatch batch) {
        for (ScannedLane lane : open) {
            lane.differenceRead(Optional.ofNullable(firstLeft.get(lane.number())), moment.snapshot());
            lane.passOver(batch.excludedTopics());
        }
    }

    private static Map<Integer, Long> firstLeft(List<FoundRow> found) {
        Map<Integer, Long> first = new HashMap<>();
        found.stream()
                .filter(row -> row.content().isEmpty())
                .forEach(row -> first.merge(row.lane(), row.seq(), Math::min));
        return first;
    }

    private List<ScannedLane> lanesOf(FetchedBatch batch) {
        return lanes.values().stream()
                .filter(lane -> batch.wants(lane.number()))
                .toList();
    }

    private List<ScannedLane> pagedLanes(FetchedBatch batch) {
        return lanesOf(batch).stream().filter(ScannedLane::isPaged).collect(toCollection(ArrayList::new));
    }

    private boolean hasPages(FetchedBatch batch) {
        return lanesOf(batch).stream().anyMatch(ScannedLane::isPaged);
    }

    private <T> Observed<T> read(String purpose, Query<T> query) {
        Observed<T> observed = reader.read(purpose, query);
        if (latest != null && observed.moment().isOnAnotherServerThan(latest)) {
            throw new ServerReplacedException(observed.moment());
        }
        remember(observed.moment());
        return observed;
    }

    private void startAnew(Moment moment) {
        history.clear();
        lanes.values().forEach(ScannedLane::restart);
        remember(moment);
    }

    private void remember(Moment moment) {
        latest = moment;
        history.add(moment.snapshot(), moment.time());
        lanes.values().forEach(lane -> lane.dropForeignPosition(moment.incarnation()));
    }

    private Moment latest() {
        return Optional.ofNullable(latest).orElseThrow();
    }

    /**
     * Only rows that this scan claims to have returned, and that were committed for at least that long: a row that was
     * inserted long ago and committed just now is not a missed one.
     */
    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        Optional<Claim> claim = Optional.ofNullable(lanes.get(lane)).flatMap(ScannedLane::claim);
        if (claim.isEmpty() || latest == null) {
            return new long[0];
        }
        return history.takenBy(latest.time().minus(minAge))
                .map(old -> sweep(claim.get(), old, excludedTopics, limit))
                .orElseGet(() -> new long[0]);
    }

    private long[] sweep(Claim claim, Snapshot old, Set<String> excludedTopics, int limit) {
        Observed<long[]> seqs =
                reader.read("sweep lane " + claim.lane(), queries.sweep(claim, old, excludedTopics, limit));
        return seqs.moment().isOnAnotherServerThan(latest()) ? new long[0] : seqs.value();
    }

    /** Ends a fetch: what it has read so far belongs to a server that is no more. */
    private static final class ServerReplacedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Moment moment;

        ServerReplacedException(Moment moment) {
            super("The server was restarted after a crash, or replaced", null, false, false);
            this.moment = moment;
        }
    }
}
