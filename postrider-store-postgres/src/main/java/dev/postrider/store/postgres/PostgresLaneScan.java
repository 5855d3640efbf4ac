package dev.postrider.store.postgres;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.postgres.ScanQueries.Claim;
import dev.postrider.store.postgres.ScanQueries.Since;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads each lane by the difference between two snapshots, so that a transaction which drew its seq early and committed late
 * is neither missed nor waited for.
 *
 * <p>Each step is one short read-only transaction with its snapshot S2. Lanes of which everything up to a snapshot S1 was
 * returned are read together: what is visible in S2 and was not in S1, by seq. If that is more than fits, the lanes become
 * windows from S1 to S2, which are read by pages, one lane after the other; so is a lane read from its head. See
 * {@link LaneProgress}.
 *
 * <p>Nothing is remembered before a result was read to its end: after an error the same rows come again. When the
 * incarnation token shows another run of the server, transaction numbers may have been used twice, and all is forgotten.
 */
final class PostgresLaneScan implements LaneScan {

    private final SnapshotReader reader;
    private final ScanQueries queries;
    private final SnapshotHistory history = new SnapshotHistory();

    /** In the order in which paged lanes take turns. */
    private final Map<Integer, ScannedLane> lanes = new LinkedHashMap<>();

    private @Nullable Moment latest;
    private boolean pageNext = true;

    PostgresLaneScan(SnapshotReader reader, ScanQueries queries) {
        this.reader = reader;
        this.queries = queries;
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
        if (latest == null || request.lanes().isEmpty()) {
            // Only with the token known can a saved position be told from one that another server wrote.
            Moment moment = reader.read("read the snapshot", queries.nothing()).moment();
            if (isOnAnotherServer(moment)) {
                return startAnew(moment);
            }
            remember(moment);
        }
        return request.lanes().isEmpty()
                ? new Fetched(List.of(), false, false, latest.time())
                : readUntilSomethingIsFound(request);
    }

    private Fetched readUntilSomethingIsFound(FetchRequest request) {
        // Per lane a late read and an empty page; then the difference of all. More only if pages hold known rows alone.
        for (int stepsLeft = 2 * lanes.size() + 2; ; stepsLeft--) {
            boolean paging = isPageNext(request);
            Fetched fetched = paging ? readPage(request) : readDifference(request);
            boolean found = !fetched.rows().isEmpty() || fetched.newIncarnation();
            boolean nothingLeft = !paging && !fetched.more();
            if (found || nothingLeft || stepsLeft == 0) {
                return fetched;
            }
        }
    }

    /** Pages and differences alternate, so that neither a backlog nor steady traffic keeps the other waiting. */
    private boolean isPageNext(FetchRequest request) {
        return hasPages(request) && (pageNext || requested(request, false).isEmpty());
    }

    /** One page of the lane whose turn it is. */
    private Fetched readPage(FetchRequest request) {
        ScannedLane lane = requested(request, true).get(0);
        Observed<List<FoundRow>> page =
                reader.read("read lane " + lane.number(), queries.page(lane.nextPiece(), request));
        if (isOnAnotherServer(page.moment())) {
            return startAnew(page.moment());
        }
        remember(page.moment());
        lane.pageRead(page.value(), page.moment().snapshot());
        lane.passOver(request.excludedTopics());
        lanes.remove(lane.number());
        lanes.put(lane.number(), lane);
        List<OutboxRow> rows = unknown(page.value(), request);
        pageNext = rows.isEmpty();
        return new Fetched(rows, true, false, page.moment().time());
    }

    /** What is new in all lanes that are not paged. */
    private Fetched readDifference(FetchRequest request) {
        List<ScannedLane> open = requested(request, false);
        List<Since> since = open.stream().map(ScannedLane::nextDifference).toList();
        Observed<List<FoundRow>> found = reader.read("read new rows", queries.difference(since, request));
        if (isOnAnotherServer(found.moment())) {
            return startAnew(found.moment());
        }
        if (found.value().size() > request.maxRows()) {
            return openWindows(open, since, request);
        }
        finishDifference(open, firstLeft(found.value()), found.moment(), request);
        return new Fetched(
                unknown(found.value(), request),
                hasPages(request),
                false,
                found.moment().time());
    }

    /** Too much to return at once: finds where the pages of each lane begin, so that they need not begin at its head. */
    private Fetched openWindows(List<ScannedLane> open, List<Since> since, FetchRequest request) {
        Observed<Map<Integer, Long>> lowest =
                reader.read("find the lowest new rows", queries.lowestOfDifference(since, request));
        if (isOnAnotherServer(lowest.moment())) {
            return startAnew(lowest.moment());
        }
        finishDifference(open, lowest.value(), lowest.moment(), request);
        return new Fetched(List.of(), hasPages(request), false, lowest.moment().time());
    }

    private void finishDifference(
            List<ScannedLane> open, Map<Integer, Long> firstLeft, Moment moment, FetchRequest request) {
        remember(moment);
        for (ScannedLane lane : open) {
            lane.differenceRead(Optional.ofNullable(firstLeft.get(lane.number())), moment.snapshot());
            lane.passOver(request.excludedTopics());
        }
        pageNext = true;
    }

    private static Map<Integer, Long> firstLeft(List<FoundRow> found) {
        Map<Integer, Long> first = new HashMap<>();
        found.stream()
                .filter(row -> row.content().isEmpty())
                .forEach(row -> first.merge(row.lane(), row.seq(), Math::min));
        return first;
    }

    private static List<OutboxRow> unknown(List<FoundRow> found, FetchRequest request) {
        return found.stream()
                .filter(row -> !request.known().contains(row.lane(), row.seq()))
                .flatMap(row -> row.content().stream())
                .toList();
    }

    private List<ScannedLane> requested(FetchRequest request, boolean paged) {
        return lanes.values().stream()
                .filter(lane -> request.lanes().contains(lane.number()) && lane.isPaged() == paged)
                .toList();
    }

    private boolean hasPages(FetchRequest request) {
        return !requested(request, true).isEmpty();
    }

    private boolean isOnAnotherServer(Moment moment) {
        return latest != null && moment.isOnAnotherServerThan(latest);
    }

    private Fetched startAnew(Moment moment) {
        history.clear();
        lanes.values().forEach(ScannedLane::restart);
        remember(moment);
        return new Fetched(List.of(), true, true, moment.time());
    }

    private void remember(Moment moment) {
        latest = moment;
        history.add(moment.snapshot(), moment.time());
        lanes.values().forEach(lane -> lane.dropForeignPosition(moment.incarnation()));
    }

    /**
     * Only rows that this scan claims to have returned, and that were committed for at least that long: a row that was
     * inserted long ago and committed just now is not a missed one.
     */
    @Override
    public long[] sweep(int lane, long afterSeq, Duration minAge, int limit) {
        ScannedLane scanned = lanes.get(lane);
        Optional<Claim> claim = scanned == null ? Optional.empty() : scanned.claim();
        if (claim.isEmpty() || latest == null) {
            return new long[0];
        }
        Optional<Snapshot> old = history.takenBy(latest.time().minus(minAge));
        return old.map(snapshot -> sweep(claim.get(), snapshot, afterSeq, limit))
                .orElseGet(() -> new long[0]);
    }

    private long[] sweep(Claim claim, Snapshot old, long afterSeq, int limit) {
        Observed<long[]> seqs = reader.read("sweep lane " + claim.lane(), queries.sweep(claim, old, afterSeq, limit));
        return isOnAnotherServer(seqs.moment()) ? new long[0] : seqs.value();
    }
}
