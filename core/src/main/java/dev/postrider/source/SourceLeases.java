package dev.postrider.source;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The lease of the one lane, among the relays of this process. */
final class SourceLeases implements LaneLeases {

    private final BooleanSupplier isLeader;
    private final LongSupplier nanoTime;
    private final Map<String, Long> members = new HashMap<>();
    private Optional<String> owner = Optional.empty();
    private long epoch;
    private long leaseUntil;

    SourceLeases(BooleanSupplier isLeader, LongSupplier nanoTime) {
        this.isLeader = isLeader;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized int heartbeat(String member, Duration timeToLive) {
        long now = now();
        members.put(member, now);
        members.values().removeIf(seen -> now - seen > timeToLive.toNanos());
        return members.size();
    }

    @Override
    public synchronized List<LaneState> lanes() {
        Duration remaining = Duration.ofNanos(Math.max(0, leaseUntil - now()));
        return List.of(new LaneState(Tracked.LANE, owner, epoch, owner.isPresent() ? remaining : Duration.ZERO));
    }

    @Override
    public Optional<TakenLane> take(int lane, String taker, Duration timeToLive) {
        return isLeader.getAsBoolean() ? takeAsLeader(lane, taker, timeToLive) : Optional.empty();
    }

    private synchronized Optional<TakenLane> takeAsLeader(int lane, String taker, Duration timeToLive) {
        boolean isHeldByOther = owner.filter(other -> !other.equals(taker)).isPresent() && now() - leaseUntil < 0;
        if (lane != Tracked.LANE || isHeldByOther) {
            return Optional.empty();
        }
        owner = Optional.of(taker);
        leaseUntil = now() + timeToLive.toNanos();
        return Optional.of(new TakenLane(new Lease(lane, taker, ++epoch), Optional.empty()));
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        return isLeader.getAsBoolean() ? renewAsLeader(renewals, timeToLive) : Set.of();
    }

    private synchronized Set<Integer> renewAsLeader(Collection<Renewal> renewals, Duration timeToLive) {
        if (renewals.stream().noneMatch(renewal -> isCurrent(renewal.lease()))) {
            return Set.of();
        }
        leaseUntil = now() + timeToLive.toNanos();
        return Set.of(Tracked.LANE);
    }

    @Override
    public synchronized void release(Collection<Renewal> renewals) {
        if (renewals.stream().anyMatch(renewal -> isCurrent(renewal.lease()))) {
            owner = Optional.empty();
        }
    }

    @Override
    public synchronized void leave(String member) {
        members.remove(member);
    }

    /** The fence. */
    synchronized void require(Lease lease) {
        if (!isCurrent(lease)) {
            throw new LeaseLostException(lease);
        }
    }

    private boolean isCurrent(Lease lease) {
        return lease.lane() == Tracked.LANE
                && lease.epoch() == epoch
                && owner.filter(lease.owner()::equals).isPresent();
    }

    private long now() {
        return nanoTime.getAsLong();
    }
}
