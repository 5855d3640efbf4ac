package dev.postrider.relay;

import dev.postrider.relay.WorkerGates.UnroutableException;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads new rows of the hot table into memory, as far as there is room, and decides when to look again.
 *
 * <p>While rows come it reads on at once; when none come the pauses grow from the shortest to the longest poll interval, and
 * a wake-up ends them.
 */
final class Fetcher {

    private final RelayContext context;
    private final RelayOptions options;
    private final LaneMemory memory;
    private final LaneScan scan;
    private final Lines lines;
    private final OutcomeHandler outcomeHandler;
    private final WorkerGates gates;
    private final Agenda agenda;
    private long pause;
    private boolean isAtTheEnd;
    private long hadRoomAt;
    private long completeReads;

    Fetcher(WorkerContext worker, LaneMemory memory, LaneScan scan, Lines lines, OutcomeHandler outcomeHandler) {
        this.context = worker.relay();
        this.options = context.options();
        this.memory = memory;
        this.scan = scan;
        this.lines = lines;
        this.outcomeHandler = outcomeHandler;
        this.gates = worker.gates();
        this.agenda = worker.agenda();
        this.hadRoomAt = context.now();
    }

    boolean hasRoom() {
        return memory.rowsTakingRoom() <= gates.maxRows() / 2
                && memory.bytesTakingRoom() <= options.maxBytesPerWorker() / 2;
    }

    /** Whether a fetch now would read any lane. */
    boolean isUseful() {
        return hasRoom() && canRead();
    }

    /** Whether any lane could be read if there were room. */
    boolean canRead() {
        return !gates.allClosed() && memory.lanes().stream().anyMatch(OwnedLane::isHotReadable);
    }

    /** For how long there was no room. */
    long nanosWithoutRoom() {
        if (hasRoom()) {
            forgetTimeWithoutRoom();
        }
        return context.now() - hadRoomAt;
    }

    void forgetTimeWithoutRoom() {
        hadRoomAt = context.now();
    }

    /** How often all lanes were read to their ends. */
    long completeReads() {
        return completeReads;
    }

    void fetchIfDue() {
        if (hasRoom()) {
            // Also when it is full again before anybody asks: what sends fast is settled and read in one step.
            forgetTimeWithoutRoom();
        }
        if (agenda.isFetchDue() && isUseful()) {
            fetch();
        }
    }

    private void fetch() {
        if (agenda.takeFetchHurry()) {
            pause = 0;
        }
        Set<Integer> lanes = memory.numbers(OwnedLane::isHotReadable);
        long start = context.now();
        Fetched fetched;
        Batch batch;
        boolean isProgress;
        try {
            memory.list(lane -> lane.reading.mustRestart() && lane.isHotReadable())
                    .forEach(this::restart);
            fetched = scan.fetch(new FetchRequest(
                    lanes,
                    memory,
                    gates.closedTopics(),
                    gates.maxRows() - memory.rowsTakingRoom(),
                    options.maxBytesPerWorker() - memory.bytesTakingRoom()));
            batch = Batch.read(fetched.databaseTime(), context.now());
            if (fetched.newIncarnation()) {
                lines.evictions.forgetAll();
            }
            isProgress = admit(fetched, batch);
        } catch (RuntimeException failure) {
            failed(lanes, failure, context.since(start));
            return;
        }
        context.listener().fetched(batch.number(), fetched.rows().size(), context.since(start));
        if (!fetched.more() && !fetched.newIncarnation()) {
            lanes.forEach(number -> memory.owned(number).reading.completed());
            completeReads++;
        }
        pace(fetched, isProgress);
    }

    private void restart(OwnedLane lane) {
        lane.reading.restarted();
        scan.restart(lane.number());
    }

    /** What was half read must be read again: the scan may believe that we have it. */
    private void failed(Set<Integer> lanes, RuntimeException failure, Duration took) {
        context.listener().storeFailed(StoreOperation.FETCH, failure, took);
        isAtTheEnd = false;
        lanes.forEach(number -> memory.owned(number).reading.restart());
        pause = options.maxPollInterval().toNanos();
        agenda.fetchIn(pause);
    }

    /** Whether the last fetch read every lane to its end. */
    boolean isAtTheEnd() {
        return isAtTheEnd && !agenda.isFetchHurried();
    }

    /** Rows that are all passed over and cannot be remembered come again with the next fetch: no reason for haste. */
    private void pace(Fetched fetched, boolean isProgress) {
        boolean isMore = fetched.more() && fetched.rows().isEmpty();
        isAtTheEnd = !isProgress && !isMore && !fetched.newIncarnation();
        if (!isAtTheEnd) {
            pause = 0;
        } else {
            long shortest = options.minPollInterval().toNanos();
            pause = Math.min(
                    Math.max(pause * 2, shortest), options.maxPollInterval().toNanos());
        }
        agenda.fetchIn(pause);
    }

    /** Returns whether any row will not be returned by the next fetch again. */
    private boolean admit(Fetched fetched, Batch batch) {
        List<Arrival> arrivals = new ArrayList<>();
        boolean isProgress = false;
        for (OutboxRow row : fetched.rows()) {
            isProgress |= route(row, arrivals);
        }
        Set<HeldLine> held = heldLines(arrivals);
        for (Arrival arrival : arrivals) {
            if (arrival.gate().isClosed()) {
                // Those before it have filled the window of a slow destination.
                arrival.passOver();
            } else {
                var row = new TrackedMessage(arrival.lane(), arrival.row(), arrival.gate(), batch);
                lines.joinHot(row, arrival.line().filter(held::contains).isPresent());
            }
        }
        return isProgress;
    }

    /** Returns whether it will not be returned by the next fetch again. */
    private boolean route(OutboxRow row, List<Arrival> arrivals) {
        OwnedLane lane = memory.lane(row.lane());
        if (lane == null || lane.knows(row.seq())) {
            return true;
        }
        if (row instanceof OutboxRow.Unreadable unreadable) {
            return outcomeHandler.buryUnreadable(lane, row, false, unreadable.reason());
        }
        return row instanceof OutboxRow.Hot hot && route(lane, hot, arrivals);
    }

    private boolean route(OwnedLane lane, OutboxRow.Hot row, List<Arrival> arrivals) {
        try {
            WorkerGate gate = gates.gateFor(row.message());
            Arrival arrival = new Arrival(lane, row, gate);
            if (gate.isClosed()) {
                return arrival.passOver();
            }
            arrivals.add(arrival);
        } catch (UnroutableException unroutable) {
            outcomeHandler.buryUnroutable(lane, row.ref(), row.message(), false, unroutable.reason());
        }
        return true;
    }

    /**
     * Those of their lines that have held messages. The fetch says in its own snapshot which keys are held at all. Asking for the
     * destinations afterwards is as good: only the owner of a lane, which is this worker, changes what is held in it. A key that is not held
     * costs nothing more.
     */
    private Set<HeldLine> heldLines(List<Arrival> arrivals) {
        Set<HeldLine> asked = arrivals.stream()
                .filter(arrival -> arrival.row().keyState() == KeyState.HELD)
                .flatMap(arrival -> arrival.line().stream())
                .collect(Collectors.toSet());
        boolean isAnswered = asked.isEmpty() || gates.all().size() == 1;
        return isAnswered ? asked : context.relayStore().held().occupied(asked);
    }

    /** A row that is to be kept in memory. */
    private record Arrival(OwnedLane lane, OutboxRow.Hot row, WorkerGate gate) {

        /** Every lane is read again when the gate reopens. Returns whether it can be remembered. */
        boolean passOver() {
            return lane.reading.passOver(row.seq(), gate);
        }

        Optional<HeldLine> line() {
            return row.key().map(key -> new HeldLine(row.lane(), key, gate.shared.name()));
        }
    }
}
