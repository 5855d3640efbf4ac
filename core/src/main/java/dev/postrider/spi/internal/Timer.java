package dev.postrider.spi.internal;

import dev.postrider.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks later, on one thread that is there only while there are tasks. Once closed, runs nothing. Thread-safe. */
public final class Timer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Timer.class);

    private final ScheduledThreadPoolExecutor executor;

    /** @param name of the thread */
    public Timer(String name) {
        this.executor = new ScheduledThreadPoolExecutor(1, new DaemonThreads(name));
    }

    public void after(Duration pause, Runnable task) {
        unlessClosed(() -> executor.schedule(() -> run(task), pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Runs it again and again, until the timer is closed. */
    public void every(Duration pause, Runnable task) {
        long nanos = pause.toNanos();
        unlessClosed(() -> executor.scheduleWithFixedDelay(() -> run(task), nanos, nanos, TimeUnit.NANOSECONDS));
    }

    private static void unlessClosed(Supplier<Future<?>> schedule) {
        try {
            var unused = schedule.get();
        } catch (RejectedExecutionException closed) {
            LOG.debug("Closed; a delayed task is not run any more");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error unexpected) {
            // Also an Error: what is to run again and again would never run any more.
            LOG.error("A delayed task failed", unexpected);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
