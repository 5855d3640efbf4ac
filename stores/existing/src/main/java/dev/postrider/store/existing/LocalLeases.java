package dev.postrider.store.existing;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The lanes of one process, where processes compete for rows: a lane is nothing but a worker's share of the rows that this process
 * has claimed. Prolonging a lane prolongs its claims, and a lane whose claims are lost is lost.
 *
 * <p>Relays that share the store object share its lanes. Thread-safe.
 */
final class LocalLeases implements LaneLeases {

    private final Claims claims;
    private final TakenRows taken;
    private final Map<String, Long> members = new HashMap<>();
    private final State[] states;

    LocalLeases(int lanes, Claims claims, TakenRows taken) {
        this.claims = claims;
        this.taken = taken;
        this.states = IntStream.range(0, lanes).mapToObj(lane -> new State()).toArray(State[]::new);
    }

    @Override
    public synchronized int heartbeat(String owner, Duration timeToLive) {
        long now = System.nanoTime();
        members.put(owner, now);
        members.values().removeIf(seen -> now - seen > timeToLive.toNanos());
        return members.size();
    }

    @Override
    public synchronized List<LaneState> lanes() {
        return IntStream.range(0, states.length)
                .mapToObj(lane -> states[lane].seen(lane))
                .toList();
    }

    @Override
    public synchronized Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        State state = states[lane];
        if (state.isHeldByOtherThan(owner)) {
            return Optional.empty();
        }
        claims.leaseIs(timeToLive);
        state.take(owner, timeToLive);
        return Optional.of(new TakenLane(new Lease(lane, owner, state.epoch), Optional.empty()));
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        Set<Integer> renewed = new HashSet<>();
        for (Renewal renewal : renewals) {
            if (isCurrent(renewal.lease()) && claims.prolong(renewal.lease().lane(), timeToLive)) {
                prolong(renewal.lease(), timeToLive, renewed);
            }
        }
        return renewed;
    }

    private synchronized void prolong(Lease lease, Duration timeToLive, Set<Integer> renewed) {
        if (isCurrent(lease)) {
            states[lease.lane()].until = System.nanoTime() + timeToLive.toNanos();
            renewed.add(lease.lane());
        }
    }

    /** Nothing is in flight: what is still claimed is free for others at once. */
    @Override
    public void release(Collection<Renewal> renewals) {
        for (Renewal renewal : renewals) {
            if (isCurrent(renewal.lease())) {
                claims.giveBack(taken.of(renewal.lease().lane()));
                free(renewal.lease());
            }
        }
    }

    private synchronized void free(Lease lease) {
        if (isCurrent(lease)) {
            states[lease.lane()].owner = Optional.empty();
        }
    }

    @Override
    public synchronized void leave(String owner) {
        members.remove(owner);
    }

    synchronized void require(Lease lease) {
        if (!isCurrent(lease)) {
            throw new LeaseLostException(lease);
        }
    }

    private synchronized boolean isCurrent(Lease lease) {
        State state = states[lease.lane()];
        return state.epoch == lease.epoch()
                && state.owner.filter(lease.owner()::equals).isPresent();
    }

    /** One lane. */
    private static final class State {
        private Optional<String> owner = Optional.empty();
        private long epoch;
        private long until;

        boolean isHeldByOtherThan(String taker) {
            return owner.filter(other -> !other.equals(taker)).isPresent() && System.nanoTime() - until < 0;
        }

        void take(String taker, Duration length) {
            owner = Optional.of(taker);
            epoch++;
            until = System.nanoTime() + length.toNanos();
        }

        LaneState seen(int lane) {
            Duration remaining = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
            return new LaneState(lane, owner, epoch, owner.isPresent() ? remaining : Duration.ZERO);
        }
    }
}
