package dev.postrider.relay;

import dev.postrider.relay.LineState.Event;
import dev.postrider.spi.KeyRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages in memory that go out one behind the other: those of one key and destination. A message without order has a line of its
 * own.
 *
 * <p>Either all come from the hot table or all from the held table. First come those that were begun, then those that wait. Where a line
 * stands, and when it changes, says {@link Lines}.
 */
final class Line {

    /** How many times in a row a line goes on at once after its messages were abandoned. */
    private static final int MAX_RESUMES = 10;

    final OwnedLane lane;
    final WorkerGate gate;
    final boolean isHeld;

    /** What its messages have in common; empty for a message without order. */
    final Optional<Key> key;

    private final Deque<TrackedMessage> begun = new ArrayDeque<>(1);
    private final Deque<TrackedMessage> waiting = new ArrayDeque<>(1);
    private LineState state = LineState.FLOWING;
    private KeyRun run;
    private int inFlight;
    private boolean isCautious;
    private int resumes;
    private @Nullable TrackedMessage givenUp;

    /** Whether its gate or its lane has it among those that may begin. */
    boolean isQueued;

    Line(TrackedMessage first, Optional<Key> key) {
        this.lane = first.lane;
        this.gate = first.gate;
        this.isHeld = first.held;
        this.key = key;
        this.run = new KeyRun(lane.tenure);
        // What has failed before is tried alone.
        this.isCautious = isHeld || first.attempts > 0;
    }

    LineState state() {
        return state;
    }

    KeyRun run() {
        return run;
    }

    void append(TrackedMessage row) {
        row.line = this;
        waiting.add(row);
    }

    /** The next to be sent; null if none waits. */
    @Nullable
    TrackedMessage next() {
        return waiting.peek();
    }

    /** Whether its next message may be sent now. */
    boolean canBegin() {
        if (state != LineState.FLOWING
                || waiting.isEmpty()
                || inFlight >= (isCautious ? 1 : gate.maxInFlightPerLine())) {
            return false;
        }
        if (run.isBroken() && begun.isEmpty()) {
            run = new KeyRun(lane.tenure);
        }
        return !run.isBroken();
    }

    /** Whether one behind this message was begun and is neither delivered nor given up. */
    boolean hasBegunBehind(TrackedMessage row) {
        return begun.peekLast() != row;
    }

    void begin() {
        take(Event.BEGIN);
        begun.add(waiting.remove());
        inFlight++;
    }

    /** One of those in flight has ended. */
    void ended() {
        inFlight--;
    }

    /** A message leaves that was begun, or is the next to be. */
    void remove(TrackedMessage row) {
        if (!begun.remove(row)) {
            waiting.remove(row);
        }
    }

    /** One got through: those behind it need not wait for each other any more. */
    void trust() {
        isCautious = false;
        resumes = 0;
    }

    boolean isAtRest() {
        return inFlight == 0;
    }

    boolean isEmpty() {
        return begun.isEmpty() && waiting.isEmpty() && givenUp == null;
    }

    long lastSeq() {
        TrackedMessage last = !waiting.isEmpty() ? waiting.getLast() : !begun.isEmpty() ? begun.getLast() : givenUp;
        return last == null ? Long.MIN_VALUE : last.ref.seq();
    }

    void stop() {
        take(Event.STOP);
    }

    /** The first that was not delivered, when all have ended. */
    Optional<TrackedMessage> firstUndelivered() {
        return isAtRest() ? Optional.ofNullable(begun.peek()) : Optional.empty();
    }

    /** Takes away those that were begun behind the first, and are not delivered. */
    List<TrackedMessage> takeBegunBehindFirst() {
        TrackedMessage first = begun.remove();
        List<TrackedMessage> behind = List.copyOf(begun);
        begun.clear();
        begun.add(first);
        return behind;
    }

    /** Puts messages that have ended back in front of those that wait. */
    void putBack(List<TrackedMessage> rows) {
        List<TrackedMessage> all = new ArrayList<>(rows);
        all.addAll(waiting);
        waiting.clear();
        waiting.addAll(all);
    }

    /** Whether it may go on at once: not for ever, without anything that got through. */
    boolean mayResume() {
        return resumes < MAX_RESUMES;
    }

    /** Goes on with a new run, one message at first. */
    void resume() {
        run = new KeyRun(lane.tenure);
        isCautious = true;
        resumes++;
        take(Event.RESUME);
    }

    /** Nothing begins until the end of this message is recorded, and so that of every one that was given up before. */
    void awaitRecord(TrackedMessage row) {
        remove(row);
        take(Event.GIVE_UP);
        if (state == LineState.RECORDING) {
            givenUp = row;
        }
    }

    /** Whether the line has waited for this. */
    boolean recorded(TrackedMessage row) {
        if (givenUp != row) {
            return false;
        }
        givenUp = null;
        take(Event.RECORD);
        isCautious |= run.isBroken();
        return true;
    }

    void yield() {
        take(Event.YIELD);
    }

    void detach() {
        take(Event.DETACH);
        waiting.clear();
    }

    private void take(Event event) {
        state = state.after(event);
    }

    void forgetWaiting() {
        waiting.clear();
    }

    /** Takes away everything that is not about to be recorded. */
    List<TrackedMessage> removeAll() {
        List<TrackedMessage> all = new ArrayList<>(begun);
        all.addAll(waiting);
        begun.clear();
        waiting.clear();
        return all;
    }

    /** What has one order: a key at a destination; under global order the key is empty. */
    record Key(WorkerGate gate, String key) {}
}
