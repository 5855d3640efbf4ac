package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.DeliveryResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait to be published, in order, and the suspects, which are published one at a time. Bounded by the
 * window of the destination. Thread-safe.
 */
final class WaitingLine {

    private final Deque<Sending> waiting = new ArrayDeque<>();
    private final Deque<Sending> suspects = new ArrayDeque<>();
    private @Nullable Sending alone;
    private final DeliveryResult whenClosed;
    private boolean isClosed;

    /**
     * An empty line.
     *
     * @param whenClosed how those end that come after it was closed
     */
    WaitingLine(DeliveryResult whenClosed) {
        this.whenClosed = whenClosed;
    }

    /** Adds it at the end. */
    void add(Sending sending) {
        addTo(waiting, List.of(sending));
    }

    /** One of these closed a channel, or may do so. */
    void addSuspects(List<Sending> sendings) {
        sendings.forEach(Sending::release);
        addTo(suspects, sendings);
    }

    private void addTo(Deque<Sending> deque, List<Sending> sendings) {
        synchronized (this) {
            if (!isClosed) {
                deque.addAll(sendings);
                notifyAll();
                return;
            }
        }
        sendings.forEach(sending -> sending.endIfWaiting(whenClosed));
    }

    /** The next one to publish, once there is one; empty when the line is closed. */
    synchronized Optional<Sending> take() throws InterruptedException {
        while (!isClosed) {
            Sending next = next();
            if (next != null) {
                return Optional.of(next);
            }
            wait();
        }
        return Optional.empty();
    }

    private @Nullable Sending next() {
        if (alone != null && alone.hasEnded()) {
            alone = null;
        }
        if (alone == null && !suspects.isEmpty()) {
            alone = suspects.poll();
            return alone;
        }
        return waiting.poll();
    }

    /** Whether this is the suspect whose turn it is. */
    synchronized boolean isAlone(Sending sending) {
        return alone == sending;
    }

    /** A message has ended: the turn of the next suspect may have come. */
    synchronized void ended(Sending sending) {
        if (alone == sending) {
            alone = null;
            notifyAll();
        }
    }

    /** Ends all that wait. */
    void endAllWaiting(DeliveryResult outcome) {
        takeAll().forEach(sending -> sending.endIfWaiting(outcome));
    }

    private synchronized List<Sending> takeAll() {
        List<Sending> all = new ArrayList<>(suspects);
        all.addAll(waiting);
        suspects.clear();
        waiting.clear();
        return all;
    }

    /** Ends those that have waited too long; they were never published, or nothing of it can arrive any more. */
    void endOverdue(long now, DeliveryResult outcome) {
        overdue(now).forEach(sending -> sending.endIfWaiting(outcome));
    }

    /** Looks at all of them: one that comes back as a suspect is older than many before it. */
    private synchronized List<Sending> overdue(long now) {
        List<Sending> overdue = new ArrayList<>();
        for (Deque<Sending> each : List.of(waiting, suspects)) {
            each.stream().filter(sending -> sending.isOverdue(now)).forEach(overdue::add);
            each.removeIf(sending -> sending.isOverdue(now));
        }
        if (alone != null && alone.isOverdue(now)) {
            overdue.add(alone);
        }
        return overdue;
    }

    /** Takes no more, and hands out no more; what waits is ended by {@link #endAllWaiting}. */
    synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
