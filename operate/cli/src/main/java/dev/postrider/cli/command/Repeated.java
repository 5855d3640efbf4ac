package dev.postrider.cli.command;

import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs something once, or again and again until the process is told to end. A failure is said and does not end it. */
final class Repeated {

    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    private final Duration interval;
    private final AutoCloseable toStop;
    private final PrintWriter err;

    /** @param toStop closed on a signal, which ends the run at hand and releases what it holds */
    Repeated(Duration interval, AutoCloseable toStop, PrintWriter err) {
        this.interval = interval;
        this.toStop = toStop;
        this.err = err;
    }

    void run(Runnable action) throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> stop(stopped, ended), "postrider-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Duration pause = attempt(action);
            while (!stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = attempt(action);
            }
        } finally {
            ended.countDown();
        }
    }

    private Duration attempt(Runnable action) {
        try {
            action.run();
            return interval;
        } catch (PostriderException failure) {
            err.println("failed, retrying: " + SafeText.of(failure.getMessage()));
            return interval.compareTo(AFTER_FAILURE) < 0 ? interval : AFTER_FAILURE;
        }
    }

    private void stop(CountDownLatch stopped, CountDownLatch ended) {
        stopped.countDown();
        try {
            toStop.close();
            ended.await(5, TimeUnit.SECONDS);
        } catch (Exception failure) {
            err.println("stopped: " + failure.getMessage());
        }
    }
}
