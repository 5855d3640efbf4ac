package dev.postrider.store.existing;

import dev.postrider.spi.ProcessLeases;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The lanes of one process, where processes compete for rows: a lane is nothing but a worker's share of the rows that this process
 * has claimed. Prolonging a lane prolongs its claims, and a lane whose claims are lost is lost.
 *
 * <p>Relays that share the store object share its lanes. Thread-safe.
 */
final class LocalLeases extends ProcessLeases {

    private final Claims claims;
    private final TakenRows taken;

    LocalLeases(int lanes, Claims claims, TakenRows taken) {
        super(lanes, System::nanoTime);
        this.claims = claims;
        this.taken = taken;
    }

    @Override
    public synchronized Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        claims.leaseIs(timeToLive);
        return super.take(lane, owner, timeToLive);
    }

    /** Not synchronized while claims are prolonged, which waits for the database. */
    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        List<Renewal> claimed = renewals.stream()
                .filter(renewal -> isCurrent(renewal.lease())
                        && claims.prolong(renewal.lease().lane(), timeToLive))
                .toList();
        return super.renew(claimed, timeToLive);
    }

    /** Nothing is in flight: what is still claimed is free for others at once. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void release(Collection<Renewal> renewals) {
        renewals.stream()
                .filter(renewal -> isCurrent(renewal.lease()))
                .forEach(renewal -> claims.giveBack(taken.of(renewal.lease().lane())));
        super.release(renewals);
    }
}
