package dev.postrider.relay;

import dev.postrider.relay.WorkerGates.UnroutableException;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    private final LaneRoster roster;
    private final Agenda agenda;
    private long nextAt;

    HeldAssigner(WorkerContext worker, LaneLoop loop, OutcomeHandler outcomeHandler, LaneRoster roster) {
        this.context = worker.relay();
        this.loop = loop;
        this.outcomeHandler = outcomeHandler;
        this.gates = worker.gates();
        this.roster = roster;
        this.agenda = worker.agenda();
        this.nextAt = context.now();
    }

    /** Whether a lane waits for it. */
    boolean isNeeded() {
        return loop.memory().lanes().stream().anyMatch(OwnedLane::waitsForAssignment);
    }

    /** When to go on, in monotonic nanoseconds; only meaningful while it is needed. */
    long nextAt() {
        return nextAt;
    }

    /** One portion for each lane that waits. */
    void assignIfNeeded() {
        if (context.now() - nextAt < 0) {
            return;
        }
        loop.forEach(OwnedLane::waitsForAssignment, this::assignSafely);
    }

    private void assignSafely(OwnedLane lane) {
        long start = context.now();
        try {
            assign(lane);
        } catch (LeaseLostException lost) {
            roster.lose(lane);
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
            held().assign(lane.lease(), destinations);
        }
        if (rows.isEmpty()) {
            lane.allAssigned();
            agenda.lookAtAll();
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
        return context.relayStore().held();
    }
}
