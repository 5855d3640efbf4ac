package dev.postrider.relay;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.LaneLeases.TakenLane;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that this relay owns its fair share of the lanes, and follows the operators' pauses.
 *
 * <p>Acquires one lane per round, in random order, so that relays that start together share; releases one surplus lane per
 * round. Taking over a dead relay's lane waits for its lease to end by the database's clock.
 */
final class LaneKeeper implements Loop {

    private static final long BETWEEN_TAKES = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final RelayContext context;
    private final LaneLeases leases;
    private final List<LaneWorker> workers;
    private final Collection<DestinationGate> gates;
    private final Set<LaneWorker> stalled = new HashSet<>();
    /** How many lanes the listener knows of. */
    private int told;

    private volatile @Nullable Thread thread;

    LaneKeeper(RelayContext context, List<LaneWorker> workers, Collection<DestinationGate> gates) {
        this.context = context;
        this.leases = context.store().leases();
        this.workers = workers;
        this.gates = gates;
    }

    @Override
    public String name() {
        return "keeper";
    }

    @Override
    public long step() {
        long start = context.now();
        try {
            followPauses();
            List<LaneWorker> moving = movingWorkers();
            if (moving.isEmpty()) {
                // Without our heartbeat the others take our share too.
                return pause();
            }
            int members = leases.heartbeat(context.owner(), context.options().lease(), RelayReport.of(workers, gates));
            return balance(moving, members) ? BETWEEN_TAKES : pause();
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.KEEP_LANES, failure, context.since(start));
            return pause();
        }
    }

    private void followPauses() {
        Set<String> paused = context.store().pauses().paused();
        gates.forEach(gate -> gate.setPaused(paused.contains(gate.name())));
    }

    /** The workers that do not hang. The lanes of one that does are free again, and count no longer as ours. */
    private List<LaneWorker> movingWorkers() {
        List<LaneWorker> moving =
                workers.stream().filter(worker -> !worker.isStalled()).toList();
        reportStalled(moving);
        return moving;
    }

    private void reportStalled(List<LaneWorker> moving) {
        stalled.removeAll(moving);
        for (LaneWorker worker : workers) {
            if (!moving.contains(worker) && stalled.add(worker)) {
                context.listener().stalled(worker.name(), worker.stillFor());
            }
        }
    }

    /** Returns whether there is probably more to take at once. */
    private boolean balance(List<LaneWorker> moving, int members) {
        int lanes = context.store().laneCount();
        int share = (lanes + members - 1) / Math.max(members, 1);
        Set<Integer> mine = ownedBy(moving);
        Set<Integer> staying = new HashSet<>(mine);
        moving.forEach(worker -> staying.removeAll(worker.roster().leaving()));
        if (staying.size() > share) {
            giveBackOne(staying);
            return false;
        }
        if (mine.size() < share && takeOne(moving, mine)) {
            return true;
        }
        tellShare(mine.size(), lanes);
        return false;
    }

    private void tellShare(int owned, int lanes) {
        if (owned != told) {
            told = owned;
            context.listener().lanesBalanced(owned, lanes);
        }
    }

    private boolean takeOne(List<LaneWorker> moving, Set<Integer> mine) {
        List<Integer> free = leases.lanes().stream()
                .filter(lane -> !lane.isOwned() && !mine.contains(lane.lane()))
                .map(LaneState::lane)
                .toList();
        if (free.isEmpty()) {
            return false;
        }
        int lane = free.get(context.random().nextInt(free.size()));
        long since = context.now();
        Optional<TakenLane> taken =
                leases.take(lane, context.owner(), context.options().lease());
        taken.ifPresent(lease -> leastLoaded(moving).roster().add(lease, since));
        return true;
    }

    private void giveBackOne(Set<Integer> staying) {
        List<Integer> candidates = List.copyOf(staying);
        int lane = candidates.get(context.random().nextInt(candidates.size()));
        workers.forEach(worker -> {
            if (worker.roster().owned().contains(lane)) {
                worker.roster().leave(lane);
            }
        });
    }

    private static LaneWorker leastLoaded(List<LaneWorker> moving) {
        return moving.stream()
                .min(Comparator.comparingInt(worker -> worker.roster().owned().size()))
                .orElseThrow();
    }

    /** Without those of a worker that hangs. Any thread. */
    Set<Integer> ownedLanes() {
        return ownedBy(workers.stream().filter(worker -> !worker.isStalled()).toList());
    }

    private static Set<Integer> ownedBy(List<LaneWorker> some) {
        Set<Integer> lanes = new HashSet<>();
        some.forEach(worker -> lanes.addAll(worker.roster().owned()));
        return lanes;
    }

    private long pause() {
        long pause = Math.min(LONGEST_PAUSE, context.options().lease().toNanos() / 4);
        return pause * 9 / 10 + (long) (context.random().nextDouble() * pause / 5);
    }

    @Override
    public void runsOn(Thread runner) {
        thread = runner;
    }

    @Override
    public void unpark() {
        LockSupport.unpark(thread);
    }
}
