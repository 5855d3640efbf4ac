package dev.postrider.benchpeers;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A pool that keeps what it is given until it is opened. For peers that deliver from memory right after the commit, so that their
 * backlog can be made first and then timed. Thread-safe.
 */
final class HoldingExecutor implements Executor, AutoCloseable {

    private final ExecutorService pool;
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean isOpen;

    HoldingExecutor(int threads) {
        this.pool = Executors.newFixedThreadPool(threads);
    }

    @Override
    public synchronized void execute(Runnable command) {
        if (isOpen) {
            pool.execute(command);
        } else {
            held.add(command);
        }
    }

    synchronized void open() {
        isOpen = true;
        held.forEach(pool::execute);
        held.clear();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
