package dev.postrider.spi;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how many messages of a destination are on their way at once. Those beyond wait for their turn, in order, so that relays
 * which share a destination slow each other down instead of meeting failures. For those who write destinations.
 *
 * <p>The line of those that wait is bounded too, by ten times the window. Thread-safe; never blocks, but for {@link #awaitEmpty}.
 *
 * <pre>{@code
 * if (!window.enter(() -> publish(message))) {
 *     return outage("too many messages wait");
 * }
 * }</pre>
 */
public final class SendWindow {

    private static final Logger LOG = LoggerFactory.getLogger(SendWindow.class);

    private static final int LINE_PER_WINDOW = 10;

    private final int size;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int inside;
    private boolean isLettingIn;

    /** A window for this many messages, at least one. */
    public SendWindow(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size is " + size + ", expected at least 1");
        }
        this.size = size;
    }

    /** Begins now on this thread, or later on the one that calls {@link #leave}. False if too many wait already. */
    public boolean enter(Runnable begin) {
        return enter(begin, begin);
    }

    /**
     * Begins now, or later in another way: for a beginning that may block, which {@link #leave} must not.
     *
     * <p>Whatever has begun calls {@link #leave} once, when it has ended.
     */
    public boolean enter(Runnable now, Runnable later) {
        synchronized (this) {
            // While others are let in, one of them may have left the line and not yet begun: it must not be passed.
            if (inside >= size || !waiting.isEmpty() || isLettingIn) {
                return waiting.size() < (long) size * LINE_PER_WINDOW && waiting.add(later);
            }
            inside++;
        }
        now.run();
        return true;
    }

    /** One message has ended: the next may begin. Call it before anybody learns of the end, who might send at once. */
    public void leave() {
        synchronized (this) {
            inside--;
            notifyAll();
            if (isLettingIn) {
                // Called by what has just begun, and ended at once; or beside another thread. Deep stacks are avoided.
                return;
            }
            isLettingIn = true;
        }
        for (Runnable next = next(); next != null; next = next()) {
            begin(next);
        }
    }

    /** Contained: the failure of one must keep neither those behind it waiting nor the caller, whose message has ended. */
    private static void begin(Runnable next) {
        try {
            next.run();
        } catch (Throwable broken) {
            // Also an Error, as when no thread can be started: the line would stand still for ever.
            LOG.error("A send failed to begin without saying how it ended; its message stays in flight", broken);
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = inside < size ? waiting.poll() : null;
        if (next == null) {
            isLettingIn = false;
        } else {
            inside++;
        }
        return next;
    }

    /** Waits until nothing is on its way and nothing waits; false if that takes longer. */
    public synchronized boolean awaitEmpty(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (inside > 0 || !waiting.isEmpty()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
