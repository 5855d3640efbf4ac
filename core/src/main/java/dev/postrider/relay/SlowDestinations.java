package dev.postrider.relay;

import java.util.Comparator;
import java.util.List;

/**
 * Keeps a destination that is up but slow from filling the memory of a worker, so that others flow past it.
 *
 * <p>When there was no room to fetch for a while, the open destination with most of the memory is slow. What waits for it is
 * dropped, and from then on it gets a {@link SlowWindow}, whose rows take no room from others. While the window is full its
 * rows are passed over like those of a closed destination. Before it opens the lanes are read to their ends, so that all that
 * others have is found behind its rows; when it opens they are read from their heads again. With one open destination there is
 * nobody to protect, and nothing is dropped.
 *
 * <p>Confined to the worker's thread.
 */
final class SlowDestinations {

    /** How long a worker may have no room before somebody is to blame. A fast destination makes room in milliseconds. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    /** How long others may be read past a full window: where their rows never end it must get its turn too. */
    private static final long TURN_NANOS = 30_000_000_000L;

    private final RelayContext context;
    private final WorkerGates gates;
    private final LaneMemory memory;
    private final Lines lines;
    private final Fetcher fetcher;
    private final Agenda agenda;
    private long completeReadsBefore;

    SlowDestinations(WorkerContext worker, LaneMemory memory, Lines lines, Fetcher fetcher) {
        this.context = worker.relay();
        this.gates = worker.gates();
        this.memory = memory;
        this.lines = lines;
        this.fetcher = fetcher;
        this.agenda = worker.agenda();
    }

    void look() {
        for (WorkerGate gate : gates.all()) {
            if (canOpen(gate)) {
                open(gate);
            }
        }
        if (fetcher.nanosWithoutRoom() >= PATIENCE_NANOS) {
            blameTheLargest();
        }
    }

    /** When to look again even if nothing happens, in nanoseconds from now. */
    long nextIn() {
        long next = Math.max(0, PATIENCE_NANOS - fetcher.nanosWithoutRoom());
        for (WorkerGate gate : gates.all()) {
            SlowWindow window = gate.slowWindow();
            if (canOpen(gate)) {
                return 0;
            } else if (window.isFull()) {
                long untilOpenable = window.openableAt() - context.now();
                next = Math.min(next, untilOpenable > 0 ? untilOpenable : PATIENCE_NANOS);
            }
        }
        return next;
    }

    /** Whether no row is left unread because its destination is slow. */
    boolean nothingPassedOver() {
        return gates.all().stream().noneMatch(gate -> gate.slowWindow().isFull() && !gate.shared.isClosed());
    }

    private boolean canOpen(WorkerGate gate) {
        SlowWindow window = gate.slowWindow();
        return window.isFull()
                && window.isHalfEmpty(gate.rows(), gate.bytes())
                && context.now() - window.openableAt() >= 0
                && isReadPast(window);
    }

    private boolean isReadPast(SlowWindow window) {
        return fetcher.completeReads() > completeReadsBefore
                || !fetcher.canRead()
                || context.now() - window.fullSince() >= TURN_NANOS;
    }

    private void open(WorkerGate gate) {
        gate.slowWindow().open(context.now());
        if (!gate.slowWindow().isBound()) {
            gate.shared.slowed(false);
        }
        completeReadsBefore = fetcher.completeReads();
        memory.restartAll();
        agenda.lookAtAll();
    }

    private void blameTheLargest() {
        fetcher.forgetTimeWithoutRoom();
        List<WorkerGate> open =
                gates.all().stream().filter(gate -> !gate.isClosed()).toList();
        if (open.size() > 1) {
            open.stream().max(Comparator.comparingDouble(this::shareOfMemory)).ifPresent(this::slowDown);
        }
    }

    private double shareOfMemory(WorkerGate gate) {
        double rows = (double) gate.rows() / context.options().maxRowsPerWorker();
        double bytes = (double) gate.bytes() / context.options().maxBytesPerWorker();
        return Math.max(rows, bytes);
    }

    private void slowDown(WorkerGate gate) {
        lines.evictions.dropWaiting(gate);
        if (!gate.slowWindow().isBound()) {
            gate.shared.slowed(true);
        }
        gate.slowWindow().begin(gate.rows(), gate.bytes(), context.now());
        completeReadsBefore = fetcher.completeReads();
        context.listener().slow(gate.shared.name(), gate.rows());
    }
}
