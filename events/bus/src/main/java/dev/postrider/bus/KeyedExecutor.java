package dev.postrider.bus;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks on a few threads: those of one key one after the other in the order given, all others at once.
 *
 * <p>Holds as many tasks as it is given: the receiver's prefetch bounds them. Thread-safe.
 */
final class KeyedExecutor {

    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(1);

    private final ExecutorService pool;
    private final Map<String, ArrayDeque<Runnable>> waiting = new HashMap<>();
    private int unfinished;
    private boolean isStopped;

    KeyedExecutor(String name, int threads) {
        this.pool = Executors.newFixedThreadPool(threads, named("postrider-" + name));
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    synchronized void execute(Optional<String> key, Runnable task) {
        if (isStopped) {
            return;
        }
        unfinished++;
        if (key.isEmpty()) {
            pool.execute(() -> run(task));
        } else {
            executeInOrder(key.get(), task);
        }
    }

    /** A key has an entry for as long as one of its tasks is in the pool. */
    private void executeInOrder(String key, Runnable task) {
        ArrayDeque<Runnable> behind = waiting.get(key);
        if (behind == null) {
            waiting.put(key, new ArrayDeque<>());
            pool.execute(() -> runAndContinue(key, task));
        } else {
            behind.add(task);
        }
    }

    private void runAndContinue(String key, Runnable task) {
        try {
            run(task);
        } finally {
            continueWith(key);
        }
    }

    private synchronized void continueWith(String key) {
        Runnable next = requireNonNull(waiting.get(key)).poll();
        if (next == null || isStopped) {
            waiting.remove(key);
        } else {
            pool.execute(() -> runAndContinue(key, next));
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
