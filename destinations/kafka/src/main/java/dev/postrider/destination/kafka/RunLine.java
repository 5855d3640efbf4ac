package dev.postrider.destination.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The records of one run that have not ended, first in, first out.
 *
 * <p>The first of those that wait begins beside those that have begun only if it takes the same {@link Path}; otherwise when all of them have
 * ended. One thread at a time serves the line: whoever is told so by {@link #startServing}, until {@link #first} or {@link #begin} says
 * that there is nothing to do now. Thread-safe.
 */
final class RunLine {

    private static final long NONE = Long.MAX_VALUE;

    private final Deque<OutgoingRecord> waiting = new ArrayDeque<>(2);
    private long joined;
    private int unfinished;
    private @Nullable Path path;
    private long lastBegun = -1;
    private long firstFailed = NONE;
    private boolean isServed;

    synchronized void add(OutgoingRecord sending) {
        sending.position = joined++;
        waiting.add(sending);
    }

    /** Whether the caller is now the one who serves the line: nobody else does, and there is something to do. */
    synchronized boolean startServing() {
        if (isServed || waiting.isEmpty()) {
            return false;
        }
        isServed = true;
        return true;
    }

    /** The first that waits; without one, the line is no longer served. */
    synchronized @Nullable OutgoingRecord first() {
        isServed = !waiting.isEmpty();
        return waiting.peek();
    }

    /** Removes the first, which ends without having begun. */
    synchronized void removeFirst() {
        waiting.remove();
    }

    /** Lets the first begin, if it may. */
    synchronized Turn begin(Path wanted) {
        OutgoingRecord first = waiting.element();
        if (first.run.isBroken()) {
            return Turn.NEVER;
        }
        if (unfinished > 0 && !wanted.mayFollow(path)) {
            first.hasWaitedForItsTurn = true;
            isServed = false;
            return Turn.LATER;
        }
        waiting.remove();
        unfinished++;
        path = wanted;
        lastBegun = first.position;
        first.hasBegun = true;
        return Turn.NOW;
    }

    /** Lets it wait again: it has begun, but nobody has taken it. */
    synchronized void putBack(OutgoingRecord begun) {
        unfinished--;
        begun.hasBegun = false;
        lastBegun = begun.position - 1;
        waiting.addFirst(begun);
    }

    /** Breaks off the run because this one failed, and says whether one behind it has begun. From then on none begins. */
    synchronized boolean breakOff(OutgoingRecord failed) {
        failed.run.breakOff();
        firstFailed = Math.min(firstFailed, failed.position);
        return lastBegun > failed.position;
    }

    synchronized boolean isBehindFailed(OutgoingRecord sending) {
        return sending.position > firstFailed;
    }

    synchronized void ended(OutgoingRecord sending) {
        if (sending.hasBegun) {
            unfinished--;
        }
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty() && unfinished == 0;
    }

    /** When the first may begin. */
    enum Turn {
        /** It has begun. */
        NOW,
        /** When those have ended that have begun: until then the line is not served. */
        LATER,
        /** The run is broken off. */
        NEVER
    }
}
