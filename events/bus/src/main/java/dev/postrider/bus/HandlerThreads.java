package dev.postrider.bus;

import dev.postrider.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handlers run on. Holds any number of tasks: the receiver's prefetch bounds them, and the receiver sees to the
 * order of keys. Thread-safe.
 */
final class HandlerThreads {

    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(1);

    private final ExecutorService pool;
    private int unfinished;
    private boolean isStopped;

    HandlerThreads(String name, int threads) {
        AtomicInteger count = new AtomicInteger();
        this.pool = Executors.newFixedThreadPool(
                threads,
                task -> new DaemonThreads("postrider-" + name + "-" + count.incrementAndGet()).newThread(task));
    }

    synchronized void execute(Runnable task) {
        if (!isStopped) {
            pool.execute(() -> run(task));
            // Not before: it may fail for want of a thread. The task ends under the same lock.
            unfinished++;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            // An interrupt was meant for this task alone.
            Thread.interrupted();
            finished();
        }
    }

    private synchronized void finished() {
        unfinished--;
        notifyAll();
    }

    /** Waits until all tasks have run; says whether they have. */
    synchronized boolean awaitIdle(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (unfinished > 0) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Whether what runs is interrupted and what waits was dropped. */
    synchronized boolean isStopped() {
        return isStopped;
    }

    /** Interrupts what runs, drops what waits, and waits a moment for the threads to end. */
    void stopNow() {
        synchronized (this) {
            isStopped = true;
        }
        pool.shutdownNow();
        try {
            pool.awaitTermination(INTERRUPT_GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
