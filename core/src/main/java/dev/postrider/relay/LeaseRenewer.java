package dev.postrider.relay;

import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneScan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Prolongs the leases of one worker's lanes, from the worker's own thread: a worker that hangs loses its lanes.
 *
 * <p>Trusts only the monotonic clock: a lease is believed for as long as was asked for, counted from before the statement was
 * sent, and no send begins that might end after it.
 */
final class LeaseRenewer {

    static final int RENEWALS_PER_LEASE = 3;
    private static final int RETRIES_PER_LEASE = 12;

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneScan scan;
    private final LaneRoster roster;
    private final long lease;

    /** After a failure no sooner than this. */
    private long notBefore;

    LeaseRenewer(RelayContext context, LaneMemory memory, LaneScan scan, LaneRoster roster) {
        this.context = context;
        this.memory = memory;
        this.scan = scan;
        this.roster = roster;
        this.lease = context.options().lease().toNanos();
        this.notBefore = context.now();
    }

    /** When to renew next. */
    long nextAt() {
        long now = context.now();
        long next = lease / RENEWALS_PER_LEASE;
        for (OwnedLane lane : memory.lanes()) {
            next = Math.min(next, lane.renewAt() - now);
        }
        return now + Math.max(next, notBefore - now);
    }

    void renewIfDue() {
        dropExpired();
        if (context.now() - nextAt() >= 0) {
            renew();
        }
    }

    private void dropExpired() {
        memory.list(lane -> !lane.tenure.isCertain()).forEach(roster::lose);
    }

    private void renew() {
        long start = context.now();
        List<OwnedLane> lanes = memory.list(lane -> true);
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
            notBefore = context.now() + lease / RETRIES_PER_LEASE;
        }
    }

    private void apply(OwnedLane lane, boolean isRenewed, long since) {
        if (isRenewed) {
            lane.leased(context.options(), since);
        } else {
            roster.lose(lane);
        }
    }

    Renewal renewal(OwnedLane lane) {
        return new Renewal(
                lane.lease(),
                lane.hasPosition() ? scan.position(lane.number(), lane.lowestUnsettled()) : Optional.empty());
    }
}
