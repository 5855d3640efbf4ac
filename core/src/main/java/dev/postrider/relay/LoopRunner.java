package dev.postrider.relay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs a loop on a thread until it is stopped; a failure is reported, contained, and followed by a pause. */
final class LoopRunner implements Runnable {

    private static final long PAUSE_AFTER_FAILURE = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop;
    private final RelayListener listener;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isStopping;
    private volatile boolean isStepping;

    LoopRunner(Loop loop, RelayListener listener) {
        this.loop = loop;
        this.listener = listener;
    }

    @Override
    public void run() {
        loop.runsOn(Thread.currentThread());
        try {
            while (!isStopping) {
                long idle = stepSafely();
                if (idle > 0 && !isStopping) {
                    pause(idle);
                }
            }
        } finally {
            ended.countDown();
        }
    }

    private long stepSafely() {
        isStepping = true;
        try {
            return loop.step();
        } catch (Throwable failure) {
            listener.crashed(loop.name(), failure);
            return recoverSafely();
        } finally {
            isStepping = false;
        }
    }

    private long recoverSafely() {
        try {
            loop.recover();
        } catch (Throwable failure) {
            listener.crashed(loop.name() + " recovery", failure);
        }
        return PAUSE_AFTER_FAILURE;
    }

    private static void pause(long nanos) {
        // Somebody interrupts a thread of a shared executor: that is no reason to spin, nor to stop without release.
        Thread.interrupted();
        LockSupport.parkNanos(nanos);
    }

    /** Whether it is a worker that has hung for longer than this; one that has nothing to do does not hang. */
    boolean isWorkerHanging(Duration longest) {
        return isStepping
                && loop instanceof LaneWorker worker
                && worker.stillFor().compareTo(longest) > 0;
    }

    void stop() {
        isStopping = true;
        loop.unpark();
    }

    /** Waits for the loop's end after {@link #stop()}. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        return ended.await(nanos, TimeUnit.NANOSECONDS);
    }
}
