package dev.postrider.store.mysql;

import dev.postrider.spi.LaneLeases;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Leases whose length is told to the {@link IdleLimit}. */
final class ObservedLeases implements LaneLeases {

    private final LaneLeases leases;
    private final IdleLimit idleLimit;

    ObservedLeases(LaneLeases leases, IdleLimit idleLimit) {
        this.leases = leases;
        this.idleLimit = idleLimit;
    }

    @Override
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        idleLimit.leaseTaken(timeToLive);
        return leases.take(lane, owner, timeToLive);
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        idleLimit.leaseTaken(timeToLive);
        return leases.renew(renewals, timeToLive);
    }

    @Override
    public int heartbeat(String owner, Duration timeToLive) {
        return leases.heartbeat(owner, timeToLive);
    }

    @Override
    public List<LaneState> lanes() {
        return leases.lanes();
    }

    @Override
    public void release(Collection<Renewal> renewals) {
        leases.release(renewals);
    }

    @Override
    public void leave(String owner) {
        leases.leave(owner);
    }
}
