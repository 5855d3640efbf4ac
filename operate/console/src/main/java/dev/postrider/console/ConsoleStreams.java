package dev.postrider.console;

import dev.postrider.internal.DaemonThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes feeds to browsers on threads of its own, so that no other request waits for them. It refuses a feed beyond its limit, and ends one whose
 * browser has stopped reading. Thread-safe; close it.
 */
public final class ConsoleStreams implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleStreams.class);
    private static final int MOST = 32;
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);
    /** A feed ends by itself before that. */
    private static final Duration MAX_DURATION = Duration.ofDays(1);

    private final Duration writeTimeout;
    private final Duration longest;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("postrider-console-watch"));

    /** 32 streams at most, and ten seconds for a write. */
    public ConsoleStreams() {
        this(MAX_DURATION);
    }

    /** @param longest after which no further line of a stream is waited for; then it ends, and its browser opens the next one */
    ConsoleStreams(Duration longest) {
        this(MOST, WRITE_TIMEOUT, longest);
    }

    ConsoleStreams(int most, Duration writeTimeout, Duration longest) {
        this.writeTimeout = writeTimeout;
        this.longest = longest;
        this.threads = new ThreadPoolExecutor(
                0, most, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), new DaemonThreads("postrider-console-stream"));
    }

    /** Where a feed is written to. */
    @FunctionalInterface
    public interface Target {
        /** Sends the head of the answer; called on the thread that then writes. */
        OutputStream open() throws IOException;
    }

    /** How long a browser may take to read a line. */
    public Duration writeTimeout() {
        return writeTimeout;
    }

    /**
     * Begins to write, and returns.
     *
     * @param end called when nothing more is written, whatever the reason
     * @return false if there are too many streams already; then nothing was begun, and {@code end} is not called
     */
    public boolean start(Feed feed, Target target, Runnable end) {
        try {
            threads.execute(() -> write(feed, target, end));
            return true;
        } catch (RejectedExecutionException tooMany) {
            return false;
        }
    }

    int running() {
        return threads.getActiveCount();
    }

    private void write(Feed feed, Target target, Runnable end) {
        try {
            long begin = System.nanoTime();
            OutputStream out = target.open();
            Optional<byte[]> line = feed.next();
            while (line.isPresent()) {
                write(line.get(), out);
                line = System.nanoTime() - begin < longest.toNanos() ? feed.next() : Optional.empty();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException gone) {
            LOG.atDebug().setCause(gone).log("A browser went away");
        } catch (RuntimeException unexpected) {
            LOG.atWarn().setCause(unexpected).log("Could not go on with a stream of the console");
        } finally {
            end.run();
        }
    }

    /** A thread that is interrupted while it writes to a channel closes it. */
    private void write(byte[] line, OutputStream out) throws IOException {
        Thread writer = Thread.currentThread();
        Future<?> timeout = watch.schedule(writer::interrupt, writeTimeout.toMillis(), TimeUnit.MILLISECONDS);
        try {
            out.write(line);
            out.flush();
        } finally {
            timeout.cancel(false);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        watch.shutdownNow();
    }
}
