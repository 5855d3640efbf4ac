package dev.postrider.relay;

import java.util.Comparator;
import java.util.Optional;

/**
 * Keeps a destination that is up but slow from filling the memory of a worker, so that others flow past it.
 *
 * <p>When there was no room for a while, the destination with most of the memory is slow. What waits for it is dropped, and
 * from then on it gets a {@link SlowWindow} of rows, which take no room from others. While the window is full its rows are
 * passed over like those of a closed destination; when it opens all lanes are read from their heads, a few times in a second at
 * most. With a single destination there is nobody to protect, and nothing is dropped.
 *
 * <p>Confined to the worker's thread.
 */
final class SlowDestinations {

    /** How long a worker may have no room before somebody is to blame. A fast destination makes room in milliseconds. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final RelayContext context;
    private final WorkerGates gates;
    private final LaneMemory memory;
    private final Fetcher fetcher;
    private final Runnable readAnew;
    private boolean isWithoutRoom;
    private long withoutRoomSince;

    SlowDestinations(RelayContext context, WorkerGates gates, LaneMemory memory, Fetcher fetcher, Runnable readAnew) {
        this.context = context;
        this.gates = gates;
        this.memory = memory;
        this.fetcher = fetcher;
        this.readAnew = readAnew;
    }

    void look() {
        if (gates.all().size() == 1) {
            return;
        }
        openWindows();
        if (fetcher.hasRoom()) {
            isWithoutRoom = false;
        } else if (!isWithoutRoom) {
            isWithoutRoom = true;
            withoutRoomSince = context.now();
        } else if (context.now() - withoutRoomSince >= PATIENCE_NANOS) {
            isWithoutRoom = false;
            largest().ifPresent(this::slowDown);
        }
    }

    /** When to look again even if nothing happens, in nanoseconds from now. */
    long nextIn() {
        long now = context.now();
        return gates.all().stream()
                .map(WorkerGate::slowWindow)
                .filter(SlowWindow::isFull)
                .mapToLong(window -> window.openableAt() - now)
                .filter(nanos -> nanos > 0)
                .reduce(isWithoutRoom ? withoutRoomSince + PATIENCE_NANOS - now : Long.MAX_VALUE, Math::min);
    }

    private void openWindows() {
        long now = context.now();
        for (WorkerGate gate : gates.all()) {
            if (gate.slowWindow().canOpen(gate.rows(), now)) {
                gate.slowWindow().open(now);
                readAnew.run();
            }
        }
    }

    private Optional<WorkerGate> largest() {
        return gates.all().stream()
                .filter(gate -> !gate.isClosed())
                .max(Comparator.comparingDouble(this::shareOfMemory));
    }

    private double shareOfMemory(WorkerGate gate) {
        double rows = (double) gate.rows() / context.options().maxRowsPerWorker();
        double bytes = (double) gate.bytes() / context.options().maxBytesPerWorker();
        return Math.max(rows, bytes);
    }

    private void slowDown(WorkerGate gate) {
        memory.dropWaiting(gate);
        gate.slowWindow().begin(gate.rows(), context.now());
    }
}
