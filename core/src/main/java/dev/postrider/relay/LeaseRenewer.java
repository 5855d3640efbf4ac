package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneScan;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Prolongs the leases of one worker's lanes, from the worker's own thread: a worker that hangs loses its lanes.
 *
 * <p>Trusts only the monotonic clock: a lease is believed for as long as was asked for, counted from before the statement was
 * sent, and no send begins that might end after it.
 */
final class LeaseRenewer {

    private static final int RENEWALS_PER_LEASE = 3;
    private static final int RETRIES_PER_LEASE = 12;

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneScan scan;
    private final Consumer<OwnedLane> onLost;
    private final Consumer<OwnedLane> onRenewed;
    private final long lease;
    private long nextAt;

    LeaseRenewer(
            RelayContext context,
            LaneMemory memory,
            LaneScan scan,
            Consumer<OwnedLane> onLost,
            Consumer<OwnedLane> onRenewed) {
        this.context = context;
        this.memory = memory;
        this.scan = scan;
        this.onLost = onLost;
        this.onRenewed = onRenewed;
        this.lease = context.options().lease().toNanos();
        this.nextAt = context.now() + lease / RENEWALS_PER_LEASE;
    }

    long nextAt() {
        return nextAt;
    }

    /** The lane was taken, by a statement that was sent at this moment. */
    void started(OwnedLane lane, long since) {
        lane.tenure.lastUntil(since + lease);
        lane.sendUntil = since + lease - context.options().sendMargin().toNanos();
        long renewAt = since + lease / RENEWALS_PER_LEASE;
        if (renewAt - nextAt < 0) {
            nextAt = renewAt;
        }
    }

    void renewIfDue() {
        dropExpired();
        if (context.now() - nextAt >= 0) {
            renew();
        }
    }

    private void dropExpired() {
        memory.list(lane -> !lane.tenure.isCertain()).forEach(onLost);
    }

    private void renew() {
        long start = context.now();
        List<OwnedLane> lanes = memory.list(lane -> true);
        if (!lanes.isEmpty()) {
            try {
                scan.retain(memory);
                Set<Integer> renewed = context.store()
                        .leases()
                        .renew(
                                lanes.stream().map(this::renewal).toList(),
                                context.options().lease());
                lanes.forEach(lane -> apply(lane, renewed.contains(lane.number()), start));
            } catch (RuntimeException failure) {
                context.listener().storeFailed(StoreOperation.RENEW_LEASES, failure, context.since(start));
                nextAt = context.now() + lease / RETRIES_PER_LEASE;
                return;
            }
        }
        nextAt = start + lease / RENEWALS_PER_LEASE;
    }

    private void apply(OwnedLane lane, boolean isRenewed, long since) {
        if (isRenewed) {
            started(lane, since);
            onRenewed.accept(lane);
        } else {
            onLost.accept(lane);
        }
    }

    Renewal renewal(OwnedLane lane) {
        return new Renewal(
                lane.lease(),
                lane.isScanned && !lane.mustRestart && lane.phase != Phase.RESETTING
                        ? scan.position(lane.number(), lane.lowestUnsettled())
                        : Optional.empty());
    }
}
