package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.spi.LaneScan;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs some of the relay's lanes: fetch, dispatch, settle.
 *
 * <p>Threads: {@link #step()} and everything it calls run on one thread, and all memory is confined to it. Other threads only
 * put something into a queue and wake the worker: ended sends, new lanes, wishes to give lanes back.
 *
 * <p>Transactions: each call to the store is one short transaction; none is open while something is sent.
 *
 * <p>Crash points: before a send, nothing happened. Between send and settle, the row is still in the outbox and is sent again
 * by the next owner: a duplicate. After settle, it is done. Within a settle, the transaction decides. A failing store never
 * loses a row, since every row stays in memory until its outcome is confirmed, or its lane is read anew.
 */
final class LaneWorker implements Loop {

    private final RelayContext context;
    private final LaneScan scan;
    private final WorkerGates gates;
    private final LaneMemory memory;
    private final LaneRoster roster;
    private final SettleBuffer settle;
    private final OutcomeHandler outcomeHandler;
    private final Dispatcher dispatcher;
    private final Fetcher fetcher;
    private final HeldReader heldReader;
    private final HeldAssigner heldAssigner;
    private final LaneOpener laneOpener;
    private final DelayedReleaser delayedReleaser;
    private final LeaseRenewer leaseRenewer;
    private final Sweeper sweeper;
    private final OverdueWatch overdueWatch;
    private final SlowDestinations slowDestinations;

    /** Lanes came or are to go since the step began: there is more to do at once. */
    private boolean hasFollowedRequests;

    private volatile boolean isWoken;
    private volatile long movedAt;
    private volatile @Nullable Thread thread;

    LaneWorker(RelayContext context, DestinationRouter router, Collection<DestinationGate> shared) {
        this.context = context;
        this.movedAt = context.now();
        this.scan = context.store().openScan();
        this.gates = new WorkerGates(router, shared, context.options());
        this.memory = new LaneMemory(gates.all());
        LaneLoop loop = new LaneLoop(memory, this::keepLanes);
        this.roster = new LaneRoster(
                context, memory, scan, (lane, since) -> this.leaseRenewer().started(lane, since), this::unpark);
        this.settle = new SettleBuffer(
                context, loop, roster::lose, entry -> this.outcomeHandler().settled(entry));
        this.outcomeHandler = new OutcomeHandler(
                context, memory, settle, delay -> this.heldReader().lookIn(delay));
        this.dispatcher = new Dispatcher(context, gates.all(), outcomeHandler, this::unpark);
        this.fetcher = new Fetcher(context, memory, scan, outcomeHandler, gates, this::resetForNewIncarnation);
        this.heldReader = new HeldReader(context, loop, outcomeHandler, gates);
        this.heldAssigner = new HeldAssigner(context, loop, outcomeHandler, gates, roster::lose, this::lookAtAll);
        this.laneOpener = new LaneOpener(context, loop, scan, gates, roster::lose, this::lookAtNewLanes);
        this.delayedReleaser = new DelayedReleaser(context, memory, fetcher::wake);
        this.leaseRenewer = new LeaseRenewer(context, memory, scan, roster::lose, dispatcher::unpark);
        this.sweeper = new Sweeper(context, memory, scan, gates);
        this.overdueWatch = new OverdueWatch(context, memory);
        this.slowDestinations = new SlowDestinations(context, gates, memory, fetcher, this::readPassedOver);
        shared.forEach(gate -> gate.watch(this::unpark));
    }

    private OutcomeHandler outcomeHandler() {
        return outcomeHandler;
    }

    private HeldReader heldReader() {
        return heldReader;
    }

    private LeaseRenewer leaseRenewer() {
        return leaseRenewer;
    }

    @Override
    public long step() {
        hasFollowedRequests = false;
        followWake();
        dispatcher.collect();
        keepLanes();
        laneOpener.openNewLanes();
        keepLanes();
        heldAssigner.assignIfNeeded();
        followGates();
        slowDestinations.look();
        dispatcher.dispatch();
        keepLanes();
        settleIfDue();
        keepLanes();
        leaveOrReset();
        keepLanes();
        heldReader.readIfDue();
        keepLanes();
        delayedReleaser.releaseIfDue();
        overdueWatch.lookIfDue();
        keepLanes();
        fetchIfDue();
        dispatcher.dispatch();
        keepLanes();
        settleIfDue();
        return idleNanos();
    }

    /** Before each call to the store, since the one before may have waited long: for a connection, or for an answer. */
    private void keepLanes() {
        movedAt = context.now();
        // The leases of lanes just acquired run already.
        hasFollowedRequests |= roster.followRequests();
        leaseRenewer.renewIfDue();
    }

    private void followWake() {
        if (isWoken) {
            isWoken = false;
            fetcher.wake();
        }
    }

    private void lookAtNewLanes() {
        heldReader.lookAtOnce();
        delayedReleaser.lookAtOnce();
        fetcher.wake();
    }

    /** Drops what waits for a closed destination, and reads all lanes anew when one has reopened. */
    private void followGates() {
        for (WorkerGate gate : gates.all()) {
            if (gate.shared.isClosed()) {
                memory.dropWaiting(gate);
            } else if (gate.hasReopened()) {
                readPassedOver();
            }
        }
    }

    private void readPassedOver() {
        memory.restartAll();
        lookAtAll();
    }

    private void lookAtAll() {
        fetcher.wake();
        heldReader.lookIn(Duration.ZERO);
    }

    private void settleIfDue() {
        if (settle.isEmpty() || settle.isBackingOff()) {
            return;
        }
        boolean nothingElseToDo = gates.inFlight() == 0 || settle.hasChanges();
        if (settle.isFull() || nothingElseToDo || context.now() - settle.dueAt() >= 0) {
            settle.flush();
        }
    }

    private void leaveOrReset() {
        release(memory.list(lane -> isQuiet(lane) && lane.phase == Phase.LEAVING && lane.entries.isEmpty()));
        for (OwnedLane lane : memory.list(LaneWorker::isQuiet)) {
            if (lane.phase == Phase.RESETTING) {
                lane.phase = Phase.ACTIVE;
                lane.mustRestart = true;
                lane.gateUntilHeldIsRead(context.options().ordering());
                lookAtAll();
            }
        }
    }

    private static boolean isQuiet(OwnedLane lane) {
        return lane.inFlight == 0 && lane.changes.isEmpty();
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
            keepLanes();
            sweeper.sweepIfDue();
        }
    }

    private long idleNanos() {
        long now = context.now();
        if (dispatcher.hasMail() || roster.hasRequests() || hasFollowedRequests || isWoken || canReset()) {
            return 0;
        }
        long next = Math.min(leaseRenewer.nextAt() - now, heldReader.nextAt() - now);
        next = Math.min(next, delayedReleaser.nextAt() - now);
        next = Math.min(next, slowDestinations.nextIn());
        if (heldAssigner.isNeeded()) {
            next = Math.min(next, heldAssigner.nextAt() - now);
        }
        if (fetcher.isUseful()) {
            next = Math.min(next, fetcher.nextAt() - now);
        }
        if (!settle.isEmpty()) {
            next = Math.min(next, settle.dueAt() - now);
        }
        return Math.max(next, 0);
    }

    private boolean canReset() {
        return memory.lanes().stream().anyMatch(lane -> lane.phase == Phase.RESETTING && isQuiet(lane));
    }

    /** The lanes that it has, and how others give it lanes or take them from it. */
    LaneRoster roster() {
        return roster;
    }

    /** Forgets everything and reads it anew. */
    @Override
    public void recover() {
        reset();
    }

    /** Also lanes that are leaving or being reset: what a crash left half done in them would stay known for ever. */
    private void reset() {
        memory.lanes().forEach(memory::reset);
    }

    private void resetForNewIncarnation() {
        settle.clear();
        for (OwnedLane lane : memory.lanes()) {
            lane.entries.values().forEach(entry -> entry.isVoid = true);
        }
        reset();
    }

    /** Whether it has not moved for longer than a lease: it hangs, and has lost its lanes. Any thread. */
    boolean isStalled() {
        return stillFor().compareTo(context.options().lease()) > 0;
    }

    Duration stillFor() {
        return context.since(movedAt);
    }

    /** Nothing is in memory, and the last look found nothing or no look is possible. On the worker's thread. */
    boolean isDrained() {
        return memory.rows() == 0
                && settle.isEmpty()
                && !roster.hasRequests()
                && (fetcher.isAtTheEnd()
                        || gates.allClosed()
                        || memory.lanes().stream().allMatch(l -> l.isGatedByHeld))
                && slowDestinations.nothingPassedOver()
                && heldReader.nextAt() - context.now() > 0
                && delayedReleaser.nextAt() - context.now() > 0
                && memory.lanes().stream()
                        .allMatch(lane -> lane.phase == Phase.ACTIVE
                                && !lane.hasUnassigned
                                && (lane.isGatedByHeld || !lane.mustRestart));
    }

    /** New messages are there: look at once. Any thread. */
    void wake() {
        isWoken = true;
        unpark();
    }

    @Override
    public void unpark() {
        LockSupport.unpark(thread);
    }

    @Override
    public void runsOn(Thread runner) {
        thread = runner;
        movedAt = context.now();
    }

    @Override
    public String name() {
        return "worker";
    }
}
