package dev.postrider.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Leases of lanes and tasks within one process, in memory: for a store that shares none with other processes. Thread-safe.
 */
public class ProcessLeases implements LaneLeases {

    private final LongSupplier nanoTime;
    private final BooleanSupplier isLeader;
    private final Map<String, Long> members = new HashMap<>();
    private final Map<String, State> tasks = new HashMap<>();
    private final State[] states;

    public ProcessLeases(int lanes, LongSupplier nanoTime) {
        this(lanes, nanoTime, () -> true);
    }

    /** Leases that this process acquires and renews only while it is the leader of several. */
    public ProcessLeases(int lanes, LongSupplier nanoTime, BooleanSupplier isLeader) {
        this.nanoTime = nanoTime;
        this.isLeader = isLeader;
        this.states = IntStream.range(0, lanes).mapToObj(lane -> new State()).toArray(State[]::new);
    }

    @Override
    public final synchronized int heartbeat(String owner, Duration timeToLive) {
        long now = nanoTime.getAsLong();
        members.put(owner, now);
        members.values().removeIf(seen -> now - seen > timeToLive.toNanos());
        return members.size();
    }

    @Override
    public final synchronized List<LaneState> lanes() {
        return IntStream.range(0, states.length).mapToObj(this::seen).toList();
    }

    private LaneState seen(int lane) {
        State state = states[lane];
        long remaining = state.owner.isPresent() ? Math.max(0, state.until - nanoTime.getAsLong()) : 0;
        return new LaneState(lane, state.owner, state.epoch, Duration.ofNanos(remaining));
    }

    /** The leader election may take its time: it is asked before the monitor is entered. */
    @Override
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        boolean isThere = lane < states.length;
        return isThere && isLeader.getAsBoolean() ? takeFree(lane, owner, timeToLive) : Optional.empty();
    }

    private synchronized Optional<TakenLane> takeFree(int lane, String owner, Duration timeToLive) {
        State state = states[lane];
        return acquire(state, owner, timeToLive)
                ? Optional.of(new TakenLane(new Lease(lane, owner, state.epoch), Optional.empty()))
                : Optional.empty();
    }

    private boolean acquire(State state, String owner, Duration timeToLive) {
        long now = nanoTime.getAsLong();
        if (state.owner.filter(other -> !other.equals(owner)).isPresent() && state.until - now > 0) {
            return false;
        }
        state.owner = Optional.of(owner);
        state.until = now + timeToLive.toNanos();
        state.epoch++;
        return true;
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        return isLeader.getAsBoolean() ? renewCurrent(renewals, timeToLive) : Set.of();
    }

    private synchronized Set<Integer> renewCurrent(Collection<Renewal> renewals, Duration timeToLive) {
        Set<Integer> renewed = new HashSet<>();
        for (Renewal renewal : renewals) {
            if (isCurrent(renewal.lease())) {
                states[renewal.lease().lane()].until = nanoTime.getAsLong() + timeToLive.toNanos();
                renewed.add(renewal.lease().lane());
            }
        }
        return renewed;
    }

    @Override
    public synchronized void release(Collection<Renewal> renewals) {
        for (Renewal renewal : renewals) {
            if (isCurrent(renewal.lease())) {
                states[renewal.lease().lane()].owner = Optional.empty();
            }
        }
    }

    @Override
    public final synchronized void leave(String owner) {
        members.remove(owner);
    }

    /** {@link Maintenance#takeTask} among the runners of this process, leader or not. */
    public final synchronized boolean takeTask(String task, String owner, Duration timeToLive) {
        return acquire(tasks.computeIfAbsent(task, name -> new State()), owner, timeToLive);
    }

    /** {@link Maintenance#releaseTask}. */
    public final synchronized void releaseTask(String task, String owner) {
        tasks.computeIfPresent(
                task, (name, state) -> state.owner.filter(owner::equals).isPresent() ? null : state);
    }

    /**
     * The fence.
     *
     * @throws LeaseLostException if somebody else has acquired the lane since
     */
    public final void require(Lease lease) {
        if (!isCurrent(lease)) {
            throw new LeaseLostException(lease);
        }
    }

    /** Whether nobody has acquired the lane since, nor was it released. */
    protected final synchronized boolean isCurrent(Lease lease) {
        State state = states[lease.lane()];
        return state.epoch == lease.epoch()
                && state.owner.filter(lease.owner()::equals).isPresent();
    }

    /** One lane, or one task. */
    private static final class State {
        private Optional<String> owner = Optional.empty();
        private long epoch;
        private long until;
    }
}
