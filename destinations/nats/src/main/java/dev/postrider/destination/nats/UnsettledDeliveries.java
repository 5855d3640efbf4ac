package dev.postrider.destination.nats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What was handed over and is not settled, a bounded number. Thread-safe. */
final class UnsettledDeliveries {

    private static final long PATIENCE_MILLIS = 100;

    private final int limit;
    private final Map<Long, NatsDelivery> bySequence = new LinkedHashMap<>();
    private boolean isHandingOver;
    private boolean isStopped;

    UnsettledDeliveries(int limit) {
        this.limit = limit;
    }

    synchronized int room() {
        return limit - bySequence.size();
    }

    /** Waits a moment for room; says whether there is some. */
    synchronized boolean awaitRoom() throws InterruptedException {
        if (room() <= 0) {
            TimeUnit.MILLISECONDS.timedWait(this, PATIENCE_MILLIS);
        }
        return room() > 0;
    }

    /** Takes a message that the server delivered again while a handler has it; says whether that is so. */
    synchronized boolean adopt(long sequence, String answerTo) {
        NatsDelivery known = bySequence.get(sequence);
        if (known != null) {
            known.answerTo(answerTo);
        }
        return known != null;
    }

    /** Says whether the delivery may be handed over now; if so, {@link #endHandOver} must follow. */
    synchronized boolean beginHandOver(NatsDelivery delivery) {
        if (isStopped) {
            return false;
        }
        bySequence.put(delivery.sequence(), delivery);
        isHandingOver = true;
        return true;
    }

    synchronized void endHandOver() {
        isHandingOver = false;
        notifyAll();
    }

    /** Says whether the delivery was still this receiver's. */
    synchronized boolean remove(NatsDelivery delivery) {
        notifyAll();
        return bySequence.remove(delivery.sequence(), delivery);
    }

    synchronized List<NatsDelivery> all() {
        return new ArrayList<>(bySequence.values());
    }

    /** Everything that is left; settling it has no effect from now on. */
    synchronized List<NatsDelivery> takeAll() {
        List<NatsDelivery> all = all();
        bySequence.clear();
        notifyAll();
        return all;
    }

    /** Returns when nothing is being handed over any more, and nothing will be. */
    synchronized void stop() {
        isStopped = true;
        notifyAll();
        try {
            while (isHandingOver) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized boolean isStopped() {
        return isStopped;
    }
}
