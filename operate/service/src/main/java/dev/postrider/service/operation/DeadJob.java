package dev.postrider.service.operation;

import dev.postrider.message.PostriderException;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;

/**
 * Retries or discards many dead letters on a thread of its own, at most {@code perSecond} a second, until it is done or cancelled. What
 * it has done stays done. Thread-safe.
 */
public final class DeadJob {

    /** How far a job is. */
    public enum State {
        RUNNING,
        DONE,
        CANCELLED,
        FAILED
    }

    /**
     * What was asked for.
     *
     * @param outbox for people
     * @param which letters, for people
     * @param perSecond how many a second at most; empty for as fast as it goes
     */
    public record Order(String outbox, DeadAction action, String which, String operator, OptionalInt perSecond) {}

    private final String id;
    private final Order order;
    private final Selection selection;
    private final int total;
    private List<RowRef> meant;
    private final Instant startedAt = Instant.now();
    private final long startedNanos = System.nanoTime();
    private volatile long handled;
    private volatile long done;
    private volatile State state = State.RUNNING;
    private volatile String problem = "";
    private volatile boolean isCancelled;

    DeadJob(String id, Order order, Selection selection, List<RowRef> meant) {
        this.id = id;
        this.order = order;
        this.selection = selection;
        this.meant = meant;
        this.total = meant.size();
    }

    void run() {
        try {
            int size = order.perSecond().orElse(Integer.MAX_VALUE);
            done = new BatchAction(order.action().step(order.operator()), this::tell)
                    .inBatchesOf(size)
                    .run(selection, meant);
            handled = total;
            state = State.DONE;
        } catch (CancellationException cancelled) {
            state = State.CANCELLED;
        } catch (PostriderException failure) {
            problem = String.valueOf(failure.getMessage());
            state = State.FAILED;
        } catch (RuntimeException unexpected) {
            problem = unexpected.toString();
            state = State.FAILED;
        } finally {
            // Jobs are remembered for long, and their letters are many.
            meant = List.of();
        }
    }

    private void tell(long doneSoFar) {
        done = doneSoFar;
        int size = selection.batchSize(
                Math.min(BatchAction.BATCH, order.perSecond().orElse(BatchAction.BATCH)));
        handled = Math.min(total, handled + size);
        order.perSecond().ifPresent(this::waitForRate);
        if (isCancelled && handled < total) {
            throw new CancellationException();
        }
    }

    private synchronized void waitForRate(int perSecond) {
        long due = startedNanos + handled * 1_000_000_000L / perSecond;
        try {
            for (long left = due - System.nanoTime();
                    left > 0 && !isCancelled && handled < total;
                    left = due - System.nanoTime()) {
                wait(left / 1_000_000 + 1);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            isCancelled = true;
        }
    }

    /** Ends it after the batch that is being worked on. Returns whether it ran, and nobody had cancelled it before. */
    public synchronized boolean cancel() {
        boolean isFirst = state == State.RUNNING && !isCancelled;
        isCancelled = true;
        notifyAll();
        return isFirst;
    }

    /** How many it has not come to. */
    public int left() {
        return (int) (total - handled);
    }

    /** The name of its outbox. */
    public String outbox() {
        return order.outbox();
    }

    public String id() {
        return id;
    }

    public State state() {
        return state;
    }

    /** For programs. */
    public Fields fields() {
        return new Fields()
                .with("id", id)
                .with("outbox", order.outbox())
                .with("action", order.action().name())
                .with("which", order.which())
                .with("operator", order.operator())
                .with("state", state.name())
                .with("total", total)
                .with("handled", handled)
                .with("done", done)
                .with(
                        "per_second",
                        order.perSecond().isPresent() ? order.perSecond().getAsInt() : 0)
                .with("problem", problem)
                .with("started_at", startedAt);
    }
}
