package dev.postrider.source;

import dev.postrider.spi.ProcessLeases;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The lease of the one lane: nobody's while this process is not the leader. */
final class SourceLeases extends ProcessLeases {

    private final BooleanSupplier isLeader;

    SourceLeases(BooleanSupplier isLeader, LongSupplier nanoTime) {
        super(1, nanoTime);
        this.isLeader = isLeader;
    }

    /** The leader election may take its time: it is asked before the monitor is entered. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        return lane == Tracked.LANE && isLeader.getAsBoolean() ? super.take(lane, owner, timeToLive) : Optional.empty();
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        return isLeader.getAsBoolean() ? super.renew(renewals, timeToLive) : Set.of();
    }
}
