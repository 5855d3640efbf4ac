package dev.postrider.relay;

import dev.postrider.relay.WorkerGates.UnroutableException;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.util.Set;

/**
 * Reads held rows into memory when they are due, and puts dead letters back that operators want to be retried.
 *
 * <p>Held rows are sent from the held table. While any row of a key is held for a destination, rows of that key that wait in
 * memory for it go to the held table as well, so that they keep one order.
 */
final class HeldReader {

    /** How many rows of a key may be read with its due head: they follow it without another look. */
    private static final int FOLLOWERS = 32;

    private static final int MAX_ADOPTED = 500;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneLoop loop;
    private final Lines lines;
    private final OutcomeHandler outcomeHandler;
    private final WorkerGates gates;
    private final Agenda agenda;
    private long recoveriesSeen;

    HeldReader(WorkerContext worker, LaneLoop loop, Lines lines, OutcomeHandler outcomeHandler) {
        this.context = worker.relay();
        this.memory = loop.memory();
        this.loop = loop;
        this.lines = lines;
        this.outcomeHandler = outcomeHandler;
        this.gates = worker.gates();
        this.agenda = worker.agenda();
    }

    void readIfDue() {
        long recoveries = gates.recoveries();
        if (recoveries != recoveriesSeen) {
            recoveriesSeen = recoveries;
            agenda.heldIn(Duration.ZERO);
        }
        if (agenda.areRetriesDue()) {
            adoptRetries();
            loop.keepLanes();
        }
        if (agenda.isHeldDue()) {
            agenda.postponeHeld(context.options().housekeepingInterval());
            boolean hasRoom = memory.rowsTakingRoom() <= gates.maxRows();
            if (hasRoom && !gates.allClosed()) {
                read();
            }
        }
    }

    private void read() {
        Set<Integer> lanes = memory.numbers(OwnedLane::isReadable);
        if (lanes.isEmpty()) {
            return;
        }
        long start = context.now();
        DueRows due;
        try {
            due = held().fetchDue(request(lanes));
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.READ_HELD, failure, context.since(start));
            return;
        }
        followGlobalOrder(lanes, due);
        Batch batch = Batch.read(due.databaseTime(), context.now());
        due.rows().forEach(row -> admit(row, batch));
        lines.endHeldRead();
        due.nextDueIn().ifPresent(delay -> agenda.heldIn(delay.isZero() ? LOOK_AGAIN : delay));
        gates.nextTrialIn().ifPresent(agenda::heldIn);
    }

    private DueRequest request(Set<Integer> lanes) {
        RelayOptions options = context.options();
        return new DueRequest(
                lanes,
                new RowsInMemory(memory),
                gates.closedNames(),
                gates.closedPlaces(),
                options.unavailableLimit(),
                options.batchSize(),
                options.maxInFlightBytesPerWorker(),
                options.ordering() == Ordering.PER_KEY ? FOLLOWERS : 0);
    }

    private void followGlobalOrder(Set<Integer> lanes, DueRows due) {
        if (context.options().ordering() == Ordering.GLOBAL) {
            for (int number : lanes) {
                memory.owned(number).foundHeld(due.lanesWithHeld().contains(number));
            }
        }
    }

    private void admit(OutboxRow.Held row, Batch batch) {
        OwnedLane lane = memory.lane(row.lane());
        if (lane == null || lane.rows.containsKey(row.seq())) {
            return;
        }
        if (row.unreadable().isPresent()) {
            outcomeHandler.buryUnreadable(lane, row, true, row.unreadable().get());
            return;
        }
        try {
            WorkerGate gate = gates.gateFor(row.message());
            if (!gate.isClosed()) {
                lines.joinHeld(new TrackedMessage(lane, row, gate, batch));
            }
        } catch (UnroutableException unroutable) {
            outcomeHandler.buryUnroutable(lane, row.ref(), row.message(), true, unroutable.reason());
        }
    }

    private void adoptRetries() {
        agenda.retriesIn(context.options().housekeepingInterval());
        Set<Integer> lanes = memory.numbers(OwnedLane::isReadable);
        if (lanes.isEmpty()) {
            return;
        }
        long start = context.now();
        try {
            Set<Integer> wanted = held().lanesWithRetries(lanes);
            loop.forEach(lane -> lane.isReadable() && wanted.contains(lane.number()), this::adoptRetries);
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.ADOPT_RETRIES, failure, context.since(start));
        }
    }

    private void adoptRetries(OwnedLane lane) {
        boolean isAdopted = true;
        try {
            isAdopted = held().adoptRetries(lane.lease(), MAX_ADOPTED) > 0;
        } finally {
            // Also after a failure: it may have come after the commit.
            if (isAdopted) {
                adopted(lane);
            }
        }
    }

    private void adopted(OwnedLane lane) {
        lane.expectUnassigned();
        if (context.options().ordering() == Ordering.GLOBAL) {
            lines.evictions.reset(lane);
        }
        agenda.heldIn(Duration.ZERO);
    }

    private HeldMessages held() {
        return context.relayStore().held();
    }

    /** Without the hot rows that were passed over: there may be many, and none of them is held. */
    private record RowsInMemory(LaneMemory memory) implements KnownRows {

        @Override
        public boolean contains(int lane, long seq) {
            OwnedLane owned = memory.lane(lane);
            return owned != null && owned.rows.containsKey(seq);
        }

        @Override
        public long[] seqs(int lane) {
            OwnedLane owned = memory.lane(lane);
            return owned == null
                    ? new long[0]
                    : owned.rows.keySet().stream().mapToLong(Long::longValue).toArray();
        }
    }
}
