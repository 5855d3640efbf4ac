package dev.postrider.relay;

import dev.postrider.spi.LaneScan;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Runs some of the relay's lanes: fetch, dispatch, settle.
 *
 * <p>Threads: {@link #step()} and everything it calls run on one thread, and all memory is confined to it. Other threads only
 * put something into a queue and wake the worker: ended sends, new lanes, requests to release lanes.
 *
 * <p>Transactions: each call to the store is one short transaction; none is open while something is sent.
 *
 * <p>Crash points: before a send, nothing happened. Between send and settle, the row is still in the outbox and is sent again
 * by the next owner: a duplicate. After settle, it is done. Within a settle, the transaction decides. A failing store never
 * loses a row, since every row stays in memory until its outcome is confirmed, or its lane is read again.
 */
final class LaneWorker implements Loop {

    private final RelayContext context;
    private final WorkerThread thread = new WorkerThread();
    private final WorkerGates gates;
    private final Agenda agenda;
    private final LaneMemory memory;
    private final LaneRoster roster;
    private final LeaseRenewer leaseRenewer;
    private final LaneLoop loop;
    private final SettleBuffer settle;
    private final Lines lines;
    private final Dispatcher dispatcher;
    private final Fetcher fetcher;
    private final HeldReader heldReader;
    private final HeldAssigner heldAssigner;
    private final LaneOpener laneOpener;
    private final DelayedReleaser delayedReleaser;
    private final Sweeper sweeper;
    private final OverdueWatch overdueWatch;
    private final SlowDestinations slowDestinations;

    /** Each part knows only those above it; what it expects of the others it writes into the agenda. */
    LaneWorker(RelayContext context, DestinationRouter router, Collection<DestinationGate> shared) {
        this.context = context;
        LaneScan scan = context.relayStore().openScan();
        this.gates = new WorkerGates(router, shared, context.options());
        this.agenda = new Agenda(context.nanoTime());
        this.memory = new LaneMemory(gates.all());
        this.roster = new LaneRoster(context, memory, scan, thread);
        this.leaseRenewer = new LeaseRenewer(context, memory, scan, roster);
        this.loop = new LaneLoop(context, memory, roster, leaseRenewer);
        this.settle = new SettleBuffer(context, loop, roster);
        this.lines = new Lines(context, memory, settle, agenda);
        OutcomeHandler outcomeHandler = new OutcomeHandler(context, lines, settle, agenda);
        this.dispatcher = new Dispatcher(context, gates.all(), lines, outcomeHandler, thread);
        WorkerContext worker = new WorkerContext(context, gates, agenda);
        this.fetcher = new Fetcher(worker, memory, scan, lines, outcomeHandler);
        this.heldReader = new HeldReader(worker, loop, lines, outcomeHandler);
        this.heldAssigner = new HeldAssigner(worker, loop, outcomeHandler, roster);
        this.laneOpener = new LaneOpener(worker, loop, scan, roster);
        this.delayedReleaser = new DelayedReleaser(context, memory, agenda);
        this.sweeper = new Sweeper(context, memory, scan, gates);
        this.overdueWatch = new OverdueWatch(context, memory, dispatcher.spans());
        this.slowDestinations = new SlowDestinations(worker, memory, lines, fetcher);
        shared.forEach(gate -> gate.watch(thread::unpark));
    }

    @Override
    public long step() {
        if (thread.takeWake()) {
            agenda.hurryFetch();
        }
        dispatcher.collect();
        loop.keepLanes();
        laneOpener.openNewLanes();
        loop.keepLanes();
        heldAssigner.assignIfNeeded();
        followGates();
        slowDestinations.look();
        dispatcher.dispatch();
        loop.keepLanes();
        settleIfDue();
        loop.keepLanes();
        leaveOrReopen();
        loop.keepLanes();
        heldReader.readIfDue();
        loop.keepLanes();
        delayedReleaser.releaseIfDue();
        overdueWatch.lookIfDue();
        loop.keepLanes();
        fetchIfDue();
        dispatcher.dispatch();
        loop.keepLanes();
        settleIfDue();
        return idleNanos();
    }

    /** Drops what waits for a closed destination, and reads all lanes again when one has reopened. */
    private void followGates() {
        for (WorkerGate gate : gates.all()) {
            if (gate.shared.isClosed()) {
                lines.evictions.dropWaiting(gate);
            } else if (gate.hasReopened()) {
                memory.restartAll();
                agenda.lookAtAll();
            }
        }
    }

    private void settleIfDue() {
        if (settle.isEmpty() || settle.isBackingOff()) {
            return;
        }
        boolean nothingElseToDo = gates.inFlight() == 0 || settle.hasChanges();
        if (settle.isFull() || nothingElseToDo || context.now() - settle.dueAt() >= 0) {
            settle.flush(lines::recorded);
        }
    }

    private void leaveOrReopen() {
        lines.evictions.dropWaitingInLeavingLanes();
        release(memory.list(OwnedLane::hasLeft));
        for (OwnedLane lane : memory.list(OwnedLane::canReopen)) {
            lane.reopen(context.options().ordering());
            agenda.lookAtAll();
        }
    }

    /** All at once. If that fails, their leases end by themselves. */
    private void release(List<OwnedLane> leaving) {
        if (leaving.isEmpty()) {
            return;
        }
        long start = context.now();
        try {
            context.store()
                    .leases()
                    .release(leaving.stream().map(leaseRenewer::renewal).toList());
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.RELEASE_LANE, failure, context.since(start));
        }
        leaving.forEach(roster::released);
    }

    private void fetchIfDue() {
        boolean hadSomethingToDo = settle.hasChanges();
        if (!hadSomethingToDo) {
            fetcher.fetchIfDue();
            loop.keepLanes();
            sweeper.sweepIfDue();
        }
    }

    private long idleNanos() {
        long now = context.now();
        if (loop.takeFollowedRequests()
                || roster.hasRequests()
                || dispatcher.hasMail()
                || thread.isWoken()
                || canReopen()) {
            return 0;
        }
        long next = Math.min(leaseRenewer.nextAt() - now, agenda.heldAt() - now);
        next = Math.min(next, agenda.retriesAt() - now);
        next = Math.min(next, agenda.delayedAt() - now);
        next = Math.min(next, slowDestinations.nextIn());
        if (heldAssigner.isNeeded()) {
            next = Math.min(next, heldAssigner.nextAt() - now);
        }
        if (fetcher.isUseful()) {
            next = Math.min(next, agenda.fetchAt() - now);
        }
        if (!settle.isEmpty()) {
            next = Math.min(next, settle.dueAt() - now);
        }
        return Math.max(next, 0);
    }

    private boolean canReopen() {
        return memory.lanes().stream().anyMatch(OwnedLane::canReopen);
    }

    /** The lanes that it has, and how others give it lanes or take them from it. */
    LaneRoster roster() {
        return roster;
    }

    /** What it has of each destination. */
    WorkerGates gates() {
        return gates;
    }

    /** Forgets everything and reads it again; also lanes that are leaving: what a crash left half done in them would stay known for ever. */
    @Override
    public void recover() {
        memory.lanes().forEach(lines.evictions::reset);
    }

    /** Whether it has not moved for longer than a lease: it hangs, and has lost its lanes. Any thread. */
    boolean isStalled() {
        return stillFor().compareTo(context.options().lease()) > 0;
    }

    Duration stillFor() {
        return loop.stillFor();
    }

    /** Ends the spans of what is still in flight, when the relay is closed. Any thread. */
    void endSpans() {
        dispatcher.spans().endAll();
    }

    /** Nothing is in memory, and the last look found nothing or no look is possible. On the worker's thread. */
    boolean isDrained() {
        long now = context.now();
        return memory.hasNoRows()
                && settle.isEmpty()
                && !roster.hasRequests()
                && (fetcher.isAtTheEnd()
                        || gates.allClosed()
                        || memory.lanes().stream().allMatch(OwnedLane::isGatedByHeld))
                && slowDestinations.nothingPassedOver()
                && agenda.heldAt() - now > 0
                && agenda.retriesAt() - now > 0
                && agenda.delayedAt() - now > 0
                && memory.lanes().stream().allMatch(OwnedLane::isDrained);
    }

    /** New messages are there: look at once. Any thread. */
    void wake() {
        thread.wake();
    }

    @Override
    public void unpark() {
        thread.unpark();
    }

    @Override
    public void runsOn(Thread runner) {
        thread.runsOn(runner);
        loop.moves();
    }

    @Override
    public String name() {
        return "worker";
    }
}
