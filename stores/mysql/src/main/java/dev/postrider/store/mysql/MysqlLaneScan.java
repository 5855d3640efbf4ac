package dev.postrider.store.mysql;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A cursor that never passes a row which may still commit.
 *
 * <p>A transaction can draw seq 8, stay open, and commit after seq 10 was delivered. So every fetch starts at a seq below which
 * nothing can appear any more, in one statement, and leaves out what the relay knows. Two marks make that seq:
 *
 * <ul>
 *   <li>{@link Horizon}, one for all lanes: no row up to it is in doubt. Found by a dirty read of seqs over all lanes, which
 *       shows uncommitted rows and locks nothing, and a committed read after it ({@link Probe}). Not by lane: an insert of several
 *       rows draws all its numbers with the first row, which may lie in another lane, and writes the others later; as long as
 *       the first is in doubt the horizon stays below all of them.
 *   <li>{@code safe}, one for each lane and never above the horizon: every row of the lane up to it is in the relay's memory
 *       or gone, or was passed over because of its topic. A row that commits between fetch and probe is neither, and stops it.
 * </ul>
 *
 * <p>Costs: a fetch reads on the primary key from the lowest {@code safe} of the lanes it wants. In between lie only rows of the
 * last seconds, known ones, and rows of other lanes; a transaction that writes to the outbox and stays open is the exception,
 * since nothing above its first row can be passed. Once a second it asks whether numbers were set back ({@link NextNumber}, {@link LastNumbers}):
 * then new rows lie below the marks, and everything is read from the head. Belongs to one thread.
 */
final class MysqlLaneScan implements LaneScan {

    private static final long PROBE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long NUMBERS_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PROBE_AFTER_ROWS = 1000;
    private static final int MAX_PROBED_ROWS = 20_000;
    private static final int SMALLEST_PAGE = 16;

    private final JdbcContext context;
    private final HotTable hot;
    private final RowLoader loader;
    private final boolean isBounded;
    private final LongSupplier nanoTime;
    private final IncarnationWatch incarnation;
    private final Map<Integer, LaneMark> lanes = new HashMap<>();
    private final Horizon horizon = new Horizon();
    private final LastNumbers lastNumbers = new LastNumbers();
    private final OpenTransactions transactions = new OpenTransactions();

    private long readUpTo = Long.MAX_VALUE;
    private long probedAt;
    private long numbersAskedAt;
    private long transactionsAskedAt;
    private int rowsSinceProbe;
    private int pageSize = Integer.MAX_VALUE;

    /**
     * A new scan.
     *
     * @param isBounded whether to move the marks; if not, every fetch starts at the head
     */
    MysqlLaneScan(JdbcContext context, HotTable hot, boolean isBounded, LongSupplier nanoTime) {
        this.context = context;
        this.hot = hot;
        this.loader = new RowLoader(hot);
        this.isBounded = isBounded;
        this.nanoTime = nanoTime;
        this.incarnation = new IncarnationWatch(nanoTime);
        this.probedAt = nanoTime.getAsLong();
        this.numbersAskedAt = probedAt;
        this.transactionsAskedAt = probedAt;
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
            horizon.forget();
            lastNumbers.forget();
        }
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        LaneMark mark = lanes.get(lane);
        return mark == null || !isBounded
                ? Optional.empty()
                : incarnation
                        .current()
                        .map(run -> new ScanPosition(
                                        run, mark.settledUpTo(Math.min(lowestUnsettled, horizon.lowestUnseen())))
                                .format());
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        try (ReadSession session = ReadSession.open(context)) {
            if (incarnation.current().isEmpty()) {
                askForIncarnation(session);
            }
            resumeSavedPositions(session);
            KnownSeqs known = KnownSeqs.of(request);
            if (isBounded && isProbeDue(known)) {
                if (areNumbersSetBack(session)) {
                    return startAnew(askForIncarnation(session));
                }
                probe(session, request, known);
            }
            return read(session, request, known);
        } catch (SQLException error) {
            throw context.errors().translate("fetch", error);
        }
    }

    /** Only then can a saved position be told from one that another server or an earlier run has left. */
    private ServerMoment askForIncarnation(ReadSession session) throws SQLException {
        long sentAt = nanoTime.getAsLong();
        ServerMoment moment = hot.moment(session);
        incarnation.isAnother(moment, sentAt);
        return moment;
    }

    private void resumeSavedPositions(ReadSession session) throws SQLException {
        if (lanes.values().stream().noneMatch(LaneMark::hasSaved)) {
            return;
        }
        Incarnation run = incarnation.current().orElseThrow();
        long nextNumber = hot.nextNumber(session).orElse(Long.MAX_VALUE);
        long reached = 0;
        for (LaneMark lane : lanes.values()) {
            // One that lies above all numbers was saved before they were set back.
            Optional<ScanPosition> position = lane.takeSaved(run).filter(saved -> saved.seq() < nextNumber);
            position.ifPresent(saved -> lane.moveTo(saved.seq()));
            reached = Math.max(reached, position.map(ScanPosition::seq).orElse(0L));
        }
        // The previous owner's horizon was at least there, and it was about all lanes: it had seen or ruled out every
        // number below.
        horizon.startAfter(reached);
    }

    private boolean areNumbersSetBack(ReadSession session) throws SQLException {
        if (nanoTime.getAsLong() - numbersAskedAt < NUMBERS_INTERVAL_NANOS) {
            return false;
        }
        numbersAskedAt = nanoTime.getAsLong();
        long highestSeen = Math.max(horizon.seq(), horizon.highestSeen());
        return hot.nextNumber(session).orElse(Long.MAX_VALUE) <= highestSeen || areNumbersUsedAgain(session);
    }

    private boolean areNumbersUsedAgain(ReadSession session) throws SQLException {
        List<NumberRange> ranges = lastNumbers.toRead(horizon.seq());
        List<RowRef> rows = ranges.isEmpty() ? List.of() : hot.refs(session, ranges);
        return lastNumbers.areUsedAgain(rows, horizon.seq(), horizon.toLookUp(horizon.seq()));
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
                horizon.toLookUp(after),
                knownUpTo,
                known.count() + most + 1,
                most + 1,
                Long.highestOneBit(request.maxBytes() / most),
                incarnation.mustAsk());
        long sentAt = nanoTime.getAsLong();
        HotPage page = hot.page(session, pageRequest);
        if (incarnation.isAnother(page.moment(), sentAt)) {
            return startAnew(page.moment());
        }
        requireWritable(page.moment());
        page.moment().lockWaits().ifPresent(waits -> horizon.counted(waits, sentAt));
        PageCut cut = PageCut.of(loader.candidates(session, page, pageRequest, known), most, request.maxBytes());
        List<OutboxRow> rows = loader.contents(session, cut.rows());
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

    private LaneMark mark(int lane) {
        return requireNonNull(lanes.get(lane));
    }

    private long lowestSafe(Set<Integer> wanted) {
        return wanted.stream().mapToLong(lane -> mark(lane).readAfter()).min().orElse(Long.MAX_VALUE);
    }

    private void remember(PageCut cut, int rows) {
        if (isBounded) {
            horizon.fetched(cut.rows(), nanoTime.getAsLong());
        }
        rowsSinceProbe += rows;
        readUpTo = cut.isCut() ? cut.lastSeq() : Long.MAX_VALUE;
        int twice =
                (int) Math.min(Integer.MAX_VALUE, 2L * Math.max(cut.rows().size(), cut.isCutByBytes() ? 0 : pageSize));
        pageSize = Math.max(SMALLEST_PAGE, twice);
    }

    private Fetched startAnew(ServerMoment moment) {
        lanes.values().forEach(LaneMark::restart);
        horizon.forget();
        lastNumbers.forget();
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
        // Beyond what was read there are rows that nobody knows yet: looking at them would be of no use.
        long target = Math.min(horizon.target(nanoTime.getAsLong()), readUpTo);
        askForOpenTransactions(session);
        List<NumberRange> suspects = horizon.suspects(nanoTime.getAsLong());
        List<Long> visible = suspects.isEmpty() ? List.of() : hot.dirtySeqs(session, suspects, MAX_PROBED_ROWS);
        List<Long> dirty = hot.dirtySeqs(session, horizon.seq(), target, MAX_PROBED_ROWS);
        probedAt = nanoTime.getAsLong();
        rowsSinceProbe = 0;
        boolean isWhole = visible.size() < MAX_PROBED_ROWS;
        horizon.looked(dirty, visible, isWhole ? Long.MAX_VALUE : visible.get(visible.size() - 1), probedAt);
        if (target > lowestSafe(wanted)) {
            List<SeenRow> committed =
                    hot.committed(session, lowestSafe(wanted), target, request.excludedTopics(), MAX_PROBED_ROWS);
            move(wanted, Probe.of(target, dirty, committed, MAX_PROBED_ROWS), known);
        }
    }

    /** Before the reads, never after: one that ends in between would be taken for dead. */
    private void askForOpenTransactions(ReadSession session) {
        long now = nanoTime.getAsLong();
        if (now - transactionsAskedAt >= PROBE_INTERVAL_NANOS) {
            transactionsAskedAt = now;
            hot.transactionStarts(session).ifPresent(starts -> transactions.answered(now, starts));
            transactions.endedBefore().ifPresent(horizon::ended);
        }
    }

    private void move(Set<Integer> wanted, Probe probe, KnownSeqs known) {
        horizon.move(probe, probedAt);
        Map<Integer, Long> reach = new HashMap<>();
        wanted.forEach(lane -> reach.put(lane, Math.min(horizon.seq(), probe.upTo())));
        for (SeenRow row : probe.committed()) {
            boolean isInReach = row.seq() <= reach.getOrDefault(row.lane(), 0L);
            if (isInReach && row.seq() > mark(row.lane()).safe() && !known.contains(row.seq())) {
                if (row.excluded()) {
                    mark(row.lane()).passedOver(row.seq());
                } else {
                    reach.put(row.lane(), row.seq() - 1);
                }
            }
        }
        reach.forEach((lane, seq) -> mark(lane).moveTo(seq));
    }

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        try (ReadSession session = ReadSession.open(context)) {
            return hot.sweep(session, lane, excludedTopics, minAge, limit);
        } catch (SQLException error) {
            throw context.errors().translate("sweep lane " + lane, error);
        }
    }
}
