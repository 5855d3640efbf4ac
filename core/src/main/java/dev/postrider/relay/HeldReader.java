package dev.postrider.relay;

import dev.postrider.relay.KeyQueue.QueueKey;
import dev.postrider.relay.WorkerGates.UnroutableException;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.time.Instant;
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
    private final OutcomeHandler outcomeHandler;
    private final WorkerGates gates;
    private long nextAt;
    private long nextAdoptionAt;
    private long recoveriesSeen;

    HeldReader(RelayContext context, LaneLoop loop, OutcomeHandler outcomeHandler, WorkerGates gates) {
        this.context = context;
        this.memory = loop.memory();
        this.loop = loop;
        this.outcomeHandler = outcomeHandler;
        this.gates = gates;
        this.nextAt = context.now();
        this.nextAdoptionAt = context.now();
    }

    /** Something will be due after this delay. */
    void lookIn(Duration delay) {
        long at = context.now() + Nanos.of(delay);
        if (at - nextAt < 0) {
            nextAt = at;
        }
    }

    /** A lane is new: nothing is known of what is due in it, nor of what operators want. */
    void lookAtOnce() {
        nextAt = context.now();
        nextAdoptionAt = nextAt;
    }

    long nextAt() {
        return nextAt - nextAdoptionAt < 0 ? nextAt : nextAdoptionAt;
    }

    void readIfDue() {
        long recoveries = gates.recoveries();
        if (recoveries != recoveriesSeen) {
            recoveriesSeen = recoveries;
            lookIn(Duration.ZERO);
        }
        if (context.now() - nextAdoptionAt >= 0) {
            adoptRetries();
            loop.keepLanes().run();
        }
        if (context.now() - nextAt >= 0
                && memory.rowsTakingRoom() <= context.options().maxRowsPerWorker()
                && !gates.allClosed()) {
            read();
        } else if (context.now() - nextAt >= 0) {
            nextAt = context.now() + context.options().housekeepingInterval().toNanos();
        }
    }

    private void read() {
        nextAt = context.now() + context.options().housekeepingInterval().toNanos();
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
        due.rows().forEach(row -> admit(row, due.databaseTime()));
        due.nextDueIn().ifPresent(delay -> lookIn(delay.isZero() ? LOOK_AGAIN : delay));
        gates.nextTrialIn().ifPresent(this::lookIn);
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
                options.ordering() == Ordering.PER_KEY ? FOLLOWERS : 0,
                options.ordering());
    }

    private void followGlobalOrder(Set<Integer> lanes, DueRows due) {
        if (context.options().ordering() == Ordering.GLOBAL) {
            for (int number : lanes) {
                memory.owned(number).isGatedByHeld = due.lanesWithHeld().contains(number);
            }
        }
    }

    private void admit(OutboxRow.Held row, Instant databaseTime) {
        OwnedLane lane = memory.lane(row.lane());
        if (lane == null || lane.entries.containsKey(row.seq())) {
            return;
        }
        if (row.unreadable().isPresent()) {
            outcomeHandler.buryUnreadable(lane, row, true, row.unreadable().get());
            return;
        }
        try {
            WorkerGate gate = gates.gateFor(row.message());
            if (!gate.isClosed()) {
                admit(new TrackedMessage(lane, row, gate, databaseTime, context.now()), row);
            }
        } catch (UnroutableException unroutable) {
            outcomeHandler.buryUnroutable(lane, row.ref(), row.message(), true, unroutable.reason());
        }
    }

    private void admit(TrackedMessage entry, OutboxRow.Held row) {
        if (context.options().ordering() == Ordering.PER_KEY && row.key().isPresent()) {
            admitKeyed(entry, new QueueKey(entry.gate, row.key().get()));
        } else {
            memory.remember(entry);
            entry.gate.addReady(entry);
        }
    }

    private void admitKeyed(TrackedMessage entry, QueueKey queueKey) {
        KeyQueue queue = entry.lane.queues.get(queueKey);
        if (queue != null && !queue.held) {
            moveBehindHeld(queue);
            return;
        }
        if (queue == null) {
            queue = new KeyQueue(queueKey, true);
            entry.lane.queues.put(queueKey, queue);
            entry.gate.addReady(entry);
        } else if (queue.lastSeq() > entry.ref.seq()) {
            // A late lower seq: it must not go out behind a higher one. It is read again when these have ended.
            return;
        }
        memory.remember(entry);
        queue.append(entry);
    }

    /**
     * Hot rows of a key that has held ones go behind those, all in one transaction: a crash must not leave a lower row of the
     * key in the hot table. So while the head is in flight they wait for its end, which makes this reader look again.
     */
    private void moveBehindHeld(KeyQueue queue) {
        TrackedMessage head = queue.head();
        if (!head.isWaiting()) {
            queue.yieldsToHeld = true;
            return;
        }
        head.lane.queues.remove(queue.key);
        head.gate.forgetReady(head);
        head.lane.parked.remove(head);
        outcomeHandler.moveBehindHeld(queue);
    }

    private void adoptRetries() {
        nextAdoptionAt =
                context.now() + context.options().housekeepingInterval().toNanos();
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
            isAdopted = held().adoptRetries(lane.lease(), context.options().ordering(), MAX_ADOPTED) > 0;
        } finally {
            // Also after a failure: it may have come after the commit.
            if (isAdopted) {
                adopted(lane);
            }
        }
    }

    private void adopted(OwnedLane lane) {
        lane.hasUnassigned = true;
        if (context.options().ordering() == Ordering.GLOBAL) {
            memory.reset(lane);
        }
        lookIn(Duration.ZERO);
    }

    private HeldMessages held() {
        return context.store().held();
    }

    /** Without the hot rows that were passed over: there may be many, and none of them is held. */
    private record RowsInMemory(LaneMemory memory) implements KnownRows {

        @Override
        public boolean contains(int lane, long seq) {
            OwnedLane owned = memory.lane(lane);
            return owned != null && owned.entries.containsKey(seq);
        }

        @Override
        public long[] seqs(int lane) {
            OwnedLane owned = memory.lane(lane);
            return owned == null
                    ? new long[0]
                    : owned.entries.keySet().stream().mapToLong(Long::longValue).toArray();
        }
    }
}
