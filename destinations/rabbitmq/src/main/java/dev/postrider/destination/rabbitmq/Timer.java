package dev.postrider.destination.rabbitmq;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a receiver's delayed tasks, on one thread that is there only while they are. Once closed, runs nothing. Thread-safe. */
final class Timer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Timer.class);

    private final ScheduledThreadPoolExecutor executor;

    Timer(String name) {
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "postrider-" + name + "-timer");
            thread.setDaemon(true);
            return thread;
        });
    }

    void after(Duration pause, Runnable task) {
        try {
            var unused = executor.schedule(() -> run(task), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("Closed; a message that was to be tried again goes back to its queue");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException unexpected) {
            LOG.error("A delayed task of a receiver failed", unexpected);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
