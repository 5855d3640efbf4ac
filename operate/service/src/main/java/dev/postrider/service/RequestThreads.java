package dev.postrider.service;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/**
 * One thread for each HTTP request that is being read or answered, up to a limit. A request beyond it ends the one that has taken longest, so that
 * slow clients, however many, never keep others waiting. Thread-safe.
 */
final class RequestThreads implements Executor, AutoCloseable {

    private final int most;
    private final Deque<Request> running = new ConcurrentLinkedDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "postrider-http");
        thread.setDaemon(true);
        return thread;
    });

    RequestThreads(int most) {
        this.most = most;
    }

    @Override
    public void execute(Runnable task) {
        Request request = new Request(task);
        running.addLast(request);
        if (running.size() > most) {
            endOldest();
        }
        threads.execute(request);
    }

    /** An interrupt closes the channel that the thread reads from or writes to. */
    private void endOldest() {
        Request oldest = running.peekFirst();
        if (oldest != null) {
            oldest.cancel(true);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private final class Request extends FutureTask<Void> {

        Request(Runnable task) {
            super(task, null);
        }

        @Override
        protected void done() {
            running.remove(this);
        }
    }
}
