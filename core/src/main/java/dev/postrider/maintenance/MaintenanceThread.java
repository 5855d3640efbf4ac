package dev.postrider.maintenance;

import dev.postrider.internal.Readable;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task at once and then again and again, on a daemon thread, until it is closed. Started once and closed once.
 *
 * <p>Closing does not interrupt: a statement that was sent ends by itself, and drivers close connections, or even an embedded
 * database, when they are interrupted.
 */
final class MaintenanceThread {

    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceThread.class);
    private static final Duration WAIT_AFTER_CRASH = Duration.ofMinutes(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private enum Stage {
        NEW,
        RUNNING,
        CLOSED
    }

    private final String name;
    private final StopSignal stop;
    private final Supplier<Duration> task;
    private final Thread thread;
    private Stage stage = Stage.NEW;

    /** The task returns how long to wait before it runs again. */
    MaintenanceThread(String name, StopSignal stop, Supplier<Duration> task) {
        this.name = name;
        this.stop = stop;
        this.task = task;
        this.thread = new Thread(this::run, "postrider-" + name);
        thread.setDaemon(true);
    }

    private void run() {
        while (!stop.isStopped()) {
            Duration wait = runSafely();
            // Nobody has a reason to interrupt this thread, and the flag would end the pause and the next run.
            Thread.interrupted();
            stop.pause(wait);
        }
    }

    private Duration runSafely() {
        try {
            return task.get();
        } catch (Throwable failure) {
            LOG.error("The {} failed unexpectedly; it goes on in {}", name, Readable.time(WAIT_AFTER_CRASH), failure);
            return WAIT_AFTER_CRASH;
        }
    }

    synchronized void start() {
        if (stage != Stage.NEW) {
            throw new IllegalStateException("The " + name + " is " + stage + "; it is started once, build a new one");
        }
        stage = Stage.RUNNING;
        thread.start();
    }

    /** Ends the run at hand after its statement, and waits for that. */
    void close() {
        stop.stop();
        if (end() && Thread.currentThread() != thread) {
            try {
                thread.join(CLOSE_TIMEOUT.toMillis());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized boolean end() {
        boolean wasRunning = stage == Stage.RUNNING;
        stage = Stage.CLOSED;
        return wasRunning;
    }
}
