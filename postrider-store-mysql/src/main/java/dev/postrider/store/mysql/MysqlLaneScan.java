package dev.postrider.store.mysql;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * A cursor that never passes a row which may still commit.
 *
 * <p>A transaction can draw seq 8, stay open, and commit after seq 10 was delivered. So every fetch starts at a seq below which
 * nothing can appear any more, in one statement, and leaves out what the relay knows. Two marks make that seq:
 *
 * <ul>
 *   <li>{@code horizon}, one for all lanes: no row up to it is in doubt. Found by a dirty read of seqs over all lanes, which
 *       shows uncommitted rows and locks nothing, and a committed read after it ({@link Probe}). It stays a second behind the
 *       newest row ({@link Tip}). Not by lane: an insert of several rows draws all its numbers with the first row, which may
 *       lie in another lane, and writes the others later; as long as the first is in doubt the horizon stays below all of them.
 *   <li>{@code safe}, one for each lane and never above the horizon: every row of the lane up to it is in the relay's memory
 *       or gone, or was passed over because of its topic. A row that commits between fetch and probe is neither, and stops it.
 * </ul>
 *
 * <p>Costs: a fetch reads on the primary key from the lowest {@code safe} of the lanes it wants. In between lie only rows of the
 * last seconds, known ones, and rows of other lanes; a transaction that writes to the outbox and stays open is the exception,
 * since nothing above its first row can be passed. Belongs to one thread.
 */
final class MysqlLaneScan implements LaneScan {

    private static final long PROBE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int PROBE_AFTER_ROWS = 1000;
    private static final int MAX_PROBED_ROWS = 20_000;
    private static final int SMALLEST_PAGE = 16;

    private final DataSource dataSource;
    private final JdbcContext context;
    private final HotTable hot;
    private final boolean isBounded;
    private final LongSupplier nanoTime;
    private final IncarnationWatch incarnation;
    private final Map<Integer, LaneMark> lanes = new HashMap<>();
    private final Tip tip = new Tip();

    private long horizon;
    private long readUpTo = Long.MAX_VALUE;
    private long probedAt;
    private int rowsSinceProbe;
    private int pageSize = Integer.MAX_VALUE;

    /**
     * A new scan.
     *
     * @param isBounded whether to move the marks; if not, every fetch starts at the head
     */
    MysqlLaneScan(DataSource dataSource, JdbcContext context, HotTable hot, boolean isBounded, LongSupplier nanoTime) {
        this.dataSource = dataSource;
        this.context = context;
        this.hot = hot;
        this.isBounded = isBounded;
        this.nanoTime = nanoTime;
        this.incarnation = new IncarnationWatch(nanoTime);
        this.probedAt = nanoTime.getAsLong();
    }

    @Override
    public void add(TakenLane lane) {
        Optional<ScanPosition> saved = lane.savedPosition().flatMap(ScanPosition::parse);
        lanes.put(lane.lease().lane(), new LaneMark(saved.filter(position -> isBounded)));
    }

    @Override
    public void remove(int lane) {
        lanes.remove(lane);
    }

    @Override
    public void restart(int lane) {
        LaneMark mark = lanes.get(lane);
        if (mark != null) {
            mark.restart();
        }
        if (lanes.values().stream().allMatch(LaneMark::isAtHead)) {
            // No lane relies on it any more, and what it has passed may be the reason for the restart.
            horizon = 0;
        }
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        LaneMark mark = lanes.get(lane);
        return mark == null || !isBounded
                ? Optional.empty()
                : incarnation.current().map(run -> new ScanPosition(run, mark.settledUpTo(lowestUnsettled)).format());
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        try (ReadSession session = ReadSession.open(context, dataSource)) {
            if (incarnation.current().isEmpty()) {
                learnIncarnation(session);
            }
            resumeSavedPositions();
            KnownSeqs known = KnownSeqs.of(request);
            if (isBounded && isProbeDue(known)) {
                probe(session, request, known);
            }
            return read(session, request, known);
        } catch (SQLException error) {
            throw context.errors().translate("fetch", error);
        }
    }

    /** Only then can a saved position be told from one that another server or an earlier run has left. */
    private void learnIncarnation(ReadSession session) throws SQLException {
        long sentAt = nanoTime.getAsLong();
        incarnation.isAnother(hot.moment(session), sentAt);
    }

    private void resumeSavedPositions() {
        Incarnation run = incarnation.current().orElseThrow();
        for (LaneMark lane : lanes.values()) {
            lane.takeSaved(run).ifPresent(position -> {
                lane.moveTo(position.seq());
                // The previous owner's horizon was at least there, and it was about all lanes.
                horizon = Math.max(horizon, position.seq());
            });
        }
    }

    // Fetching.

    private Fetched read(ReadSession session, FetchRequest request, KnownSeqs known) throws SQLException {
        Set<Integer> wanted = wanted(request);
        if (wanted.isEmpty()) {
            return nothing(session);
        }
        int most = Math.min(request.maxRows(), pageSize);
        long after = lowestSafe(wanted);
        long knownUpTo = known.highestAbove(after);
        PageRequest pageRequest = new PageRequest(
                Selection.of(request, wanted, context.options().lanes()),
                after,
                knownUpTo,
                known.countAbove(after) + most + 1,
                most + 1,
                Long.highestOneBit(request.maxBytes() / most),
                incarnation.mustAsk());
        long sentAt = nanoTime.getAsLong();
        HotPage page = hot.page(session, pageRequest);
        if (incarnation.isAnother(page.moment(), sentAt)) {
            return startAnew(page.moment());
        }
        requireWritable(page.moment());
        PageCut cut = PageCut.of(candidates(session, page, pageRequest, known), most, request.maxBytes());
        List<OutboxRow> rows = contents(session, cut.rows());
        remember(cut, rows.size());
        return new Fetched(rows, cut.isCut(), false, page.moment().time());
    }

    private Fetched nothing(ReadSession session) throws SQLException {
        long sentAt = nanoTime.getAsLong();
        ServerMoment moment = hot.moment(session);
        return incarnation.isAnother(moment, sentAt)
                ? startAnew(moment)
                : new Fetched(List.of(), false, false, moment.time());
    }

    private Set<Integer> wanted(FetchRequest request) {
        Set<Integer> wanted = new HashSet<>(request.lanes());
        wanted.retainAll(lanes.keySet());
        return wanted;
    }

    private long lowestSafe(Set<Integer> wanted) {
        return wanted.stream().mapToLong(lane -> lanes.get(lane).safe()).min().orElse(Long.MAX_VALUE);
    }

    /** What committed late, then what is new, by seq. */
    private List<HotRow> candidates(ReadSession session, HotPage page, PageRequest request, KnownSeqs known)
            throws SQLException {
        List<Long> late =
                page.known().stream().filter(seq -> !known.contains(seq)).toList();
        if (late.isEmpty()) {
            return page.rows();
        }
        List<Long> first = late.subList(0, Math.min(late.size(), request.rowLimit()));
        List<HotRow> candidates = new ArrayList<>(hot.rows(session, first, request.inlineBytes()));
        if (first.size() < request.rowLimit()) {
            candidates.addAll(page.rows());
        }
        return candidates;
    }

    /** Reads what was too large to be read along. A row that is gone by now was settled by a previous owner of its lane. */
    private List<OutboxRow> contents(ReadSession session, List<HotRow> rows) throws SQLException {
        List<Long> large = rows.stream()
                .filter(row -> row.content().isEmpty())
                .map(HotRow::seq)
                .toList();
        Map<Long, OutboxRow> contents = new HashMap<>();
        if (!large.isEmpty()) {
            hot.contents(session, large).forEach(row -> contents.put(row.seq(), row));
        }
        return rows.stream()
                .map(row -> row.content().orElseGet(() -> contents.get(row.seq())))
                .filter(row -> row != null)
                .toList();
    }

    private void remember(PageCut cut, int rows) {
        rowsSinceProbe += rows;
        readUpTo = cut.isCut() ? cut.lastSeq() : Long.MAX_VALUE;
        int twice =
                (int) Math.min(Integer.MAX_VALUE, 2L * Math.max(cut.rows().size(), cut.isCutByBytes() ? 0 : pageSize));
        pageSize = Math.max(SMALLEST_PAGE, twice);
    }

    private Fetched startAnew(ServerMoment moment) {
        lanes.values().forEach(LaneMark::restart);
        tip.forget();
        horizon = 0;
        readUpTo = Long.MAX_VALUE;
        return new Fetched(List.of(), true, true, moment.time());
    }

    private void requireWritable(ServerMoment moment) {
        if (moment.readOnly()) {
            throw new StoreException(
                    "Outbox " + context.tables().outboxName() + " was read from " + moment.server()
                            + ", which is read-only. A replica shows commits in another order: connect the relay to the primary");
        }
    }

    // Moving the marks.

    private boolean isProbeDue(KnownSeqs known) {
        boolean isIdle = known.isEmpty() && rowsSinceProbe == 0;
        long interval = isIdle ? 4 * PROBE_INTERVAL_NANOS : PROBE_INTERVAL_NANOS;
        return rowsSinceProbe >= PROBE_AFTER_ROWS || nanoTime.getAsLong() - probedAt >= interval;
    }

    private void probe(ReadSession session, FetchRequest request, KnownSeqs known) throws SQLException {
        Set<Integer> wanted = wanted(request);
        // Beyond what was read there are rows of which nobody knows yet: to look at them would be of no use.
        long target = Math.min(Math.max(horizon, tip.ripe(nanoTime.getAsLong())), readUpTo);
        List<Long> dirty = hot.dirtySeqs(session, horizon, target, MAX_PROBED_ROWS);
        probedAt = nanoTime.getAsLong();
        rowsSinceProbe = 0;
        dirty.stream().max(Long::compare).ifPresent(highest -> tip.saw(highest, probedAt));
        if (target > lowestSafe(wanted)) {
            List<SeenRow> committed =
                    hot.committed(session, lowestSafe(wanted), target, request.excludedTopics(), MAX_PROBED_ROWS);
            move(wanted, Probe.of(target, dirty, committed, MAX_PROBED_ROWS), known);
        }
    }

    private void move(Set<Integer> wanted, Probe probe, KnownSeqs known) {
        horizon = Math.max(horizon, probe.safeUpTo());
        Map<Integer, Long> reach = new HashMap<>();
        wanted.forEach(lane -> reach.put(lane, Math.min(horizon, probe.upTo())));
        for (SeenRow row : probe.committed()) {
            boolean isInReach = row.seq() <= reach.getOrDefault(row.lane(), 0L);
            if (isInReach && row.seq() > lanes.get(row.lane()).safe() && !known.contains(row.seq())) {
                if (row.excluded()) {
                    lanes.get(row.lane()).passedOver(row.seq());
                } else {
                    reach.put(row.lane(), row.seq() - 1);
                }
            }
        }
        reach.forEach((lane, seq) -> lanes.get(lane).moveTo(seq));
    }

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        try (ReadSession session = ReadSession.open(context, dataSource)) {
            return hot.sweep(session, lane, excludedTopics, minAge, limit);
        } catch (SQLException error) {
            throw context.errors().translate("sweep lane " + lane, error);
        }
    }
}
