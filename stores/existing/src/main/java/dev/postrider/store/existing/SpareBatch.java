package dev.postrider.store.existing;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection more than there are lanes, while there is a backlog: a lane goes on with it while its own commits. It comes from the pool in the
 * background, so that nobody waits for it, and an exhausted pool costs speed only. Thread-safe.
 */
final class SpareBatch {

    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    private final Supplier<OpenBatch> opener;
    private final Executor executor;
    private final LongSupplier nanoTime;
    private State state = State.NONE;
    private boolean isWanted;
    private @Nullable OpenBatch idle;
    private long askAgainAt;

    /**
     * Without a connection so far.
     *
     * @param opener borrows one, or throws
     */
    SpareBatch(Supplier<OpenBatch> opener, Executor executor, LongSupplier nanoTime) {
        this.opener = opener;
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.askAgainAt = nanoTime.getAsLong();
    }

    private enum State {
        NONE,
        COMING,
        IDLE,
        LENT
    }

    /** There is a backlog: get one, if there is none. */
    synchronized void want() {
        isWanted = true;
        if (state == State.NONE && nanoTime.getAsLong() - askAgainAt >= 0) {
            state = State.COMING;
            executor.execute(this::open);
        }
    }

    private void open() {
        try {
            giveBack(opener.get());
        } catch (RuntimeException refused) {
            lost();
        }
    }

    /** The connection, if nobody uses it; give it back, or another one instead, or say that it is lost. */
    synchronized Optional<OpenBatch> take() {
        OpenBatch taken = idle;
        if (taken != null) {
            idle = null;
            state = State.LENT;
        }
        return Optional.ofNullable(taken);
    }

    void giveBack(OpenBatch batch) {
        if (!keeps(batch)) {
            batch.close();
        }
    }

    private synchronized boolean keeps(OpenBatch batch) {
        state = isWanted ? State.IDLE : State.NONE;
        idle = isWanted ? batch : null;
        return isWanted;
    }

    synchronized void lost() {
        state = State.NONE;
        askAgainAt = nanoTime.getAsLong() + PAUSE;
    }

    /** The pool gets it back, soon or when it is given back. Whoever says so has leases to renew, and does not wait for the server. */
    synchronized void release() {
        isWanted = false;
        OpenBatch former = idle;
        if (former != null) {
            idle = null;
            state = State.NONE;
            executor.execute(former::close);
        }
    }
}
