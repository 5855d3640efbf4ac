package dev.postrider.maintenance;

import java.time.Duration;
import java.util.function.IntUnaryOperator;

/** Deletes in batches until nothing is left, with a pause after each so that relays and services get their turn. */
final class BatchedDelete {

    private final TaskLease lease;
    private final StopSignal stop;
    private final MaintenanceListener listener;
    private final int limit;
    private final Duration pause;

    BatchedDelete(TaskLease lease, StopSignal stop, MaintenanceListener listener, int limit, Duration pause) {
        this.lease = lease;
        this.stop = stop;
        this.listener = listener;
        this.limit = limit;
        this.pause = pause;
    }

    /**
     * Runs until a batch is empty, or until the run must end.
     *
     * @param batch deletes at most the given number of rows and returns how many it deleted
     * @return how many in all
     */
    long untilDone(Expired what, IntUnaryOperator batch) {
        long total = 0;
        while (mayGoOn()) {
            int rows = batch.applyAsInt(limit);
            if (rows == 0) {
                break;
            }
            total += rows;
            report(what, rows, total);
            stop.pause(pause);
        }
        return total;
    }

    private void report(Expired what, int rows, long total) {
        listener.deleted(what, rows, total);
    }

    /** Whether the run may go on: not stopped, and its lease still held. */
    boolean mayGoOn() {
        return !stop.isStopped() && lease.isHeld();
    }
}
