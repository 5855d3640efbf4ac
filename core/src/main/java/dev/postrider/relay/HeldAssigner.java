package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.relay.WorkerGates.UnroutableException;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Says for which destination held rows are that lack one: those of an older version, of a destination that is gone, and those
 * that an operator put back.
 *
 * <p>Nothing of their lane is read before: it could not be told what has to wait behind them.
 */
final class HeldAssigner {

    private static final int MAX_ROWS = 500;
    private static final long RETRY_NANOS = 100_000_000L;

    private final RelayContext context;
    private final LaneLoop loop;
    private final OutcomeHandler outcomeHandler;
    private final WorkerGates gates;
    private final Consumer<OwnedLane> onLeaseLost;
    private final Runnable onAssigned;
    private long nextAt;

    HeldAssigner(
            RelayContext context,
            LaneLoop loop,
            OutcomeHandler outcomeHandler,
            WorkerGates gates,
            Consumer<OwnedLane> onLeaseLost,
            Runnable onAssigned) {
        this.context = context;
        this.loop = loop;
        this.outcomeHandler = outcomeHandler;
        this.gates = gates;
        this.onLeaseLost = onLeaseLost;
        this.onAssigned = onAssigned;
        this.nextAt = context.now();
    }

    /** Whether a lane waits for it. */
    boolean isNeeded() {
        return loop.memory().lanes().stream().anyMatch(HeldAssigner::isWaiting);
    }

    /** When to go on, in monotonic nanoseconds; only meaningful while it is needed. */
    long nextAt() {
        return nextAt;
    }

    private static boolean isWaiting(OwnedLane lane) {
        return lane.phase == Phase.ACTIVE && lane.hasUnassigned && lane.changes.isEmpty();
    }

    /** One portion for each lane that waits. */
    void assignIfNeeded() {
        if (context.now() - nextAt < 0) {
            return;
        }
        loop.forEach(HeldAssigner::isWaiting, this::assignSafely);
    }

    private void assignSafely(OwnedLane lane) {
        long start = context.now();
        try {
            assign(lane);
        } catch (LeaseLostException lost) {
            onLeaseLost.accept(lane);
        } catch (RuntimeException failure) {
            nextAt = context.now() + RETRY_NANOS;
            context.listener().storeFailed(StoreOperation.ASSIGN_HELD, failure, context.since(start));
        }
    }

    private void assign(OwnedLane lane) {
        List<OutboxRow.Held> rows =
                held().unassigned(lane.number(), MAX_ROWS, context.options().maxInFlightBytesPerWorker());
        Map<RowRef, String> destinations = new HashMap<>();
        rows.forEach(row -> route(lane, row, destinations));
        if (!destinations.isEmpty()) {
            held().assign(lane.lease(), context.options().ordering(), destinations);
        }
        if (rows.isEmpty()) {
            lane.hasUnassigned = false;
            onAssigned.run();
        }
    }

    private void route(OwnedLane lane, OutboxRow.Held row, Map<RowRef, String> destinations) {
        if (row.unreadable().isPresent()) {
            outcomeHandler.buryUnreadable(lane, row, true, row.unreadable().get());
            return;
        }
        try {
            destinations.put(row.ref(), gates.gateFor(row.message()).shared.name());
        } catch (UnroutableException unroutable) {
            outcomeHandler.buryUnroutable(lane, row.ref(), row.message(), true, unroutable.reason());
        }
    }

    private HeldMessages held() {
        return context.store().held();
    }
}
