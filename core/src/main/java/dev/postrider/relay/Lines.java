package dev.postrider.relay;

import dev.postrider.relay.RowState.Event;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Moves rows and their keys: with its {@link Evictions} the only one that changes where a row in memory stands, and where its line does. Beside them
 * {@link LaneMemory} forgets both when the lane is lost.
 *
 * <p>A row is in one of these states. An empty cell cannot happen: such a step ends the worker's turn with an exception.
 *
 * <pre>
 * row       | BEGIN     | END   | RESUME  | SETTLE   | FORGET
 * WAITING   | IN_FLIGHT |       |         | SETTLING | GONE
 * IN_FLIGHT |           | ENDED |         |          | GONE
 * ENDED     |           |       | WAITING | SETTLING | GONE
 * SETTLING  |           |       |         |          | GONE
 * GONE      |           | GONE  |         | GONE     | GONE
 * </pre>
 *
 * <p>BEGIN: it is sent. END: the destination has said how it ended. RESUME: it goes back into its line, since another one was to blame. SETTLE: what becomes of
 * it is known and waits to be recorded: delivered, held, behind a held one, given up. FORGET: that is recorded, or the row is dropped and
 * read again later. A send may end after its row is GONE, because the lane was lost.
 *
 * <p>Its line is in one of these. Where the state stays the same, the event is allowed and changes nothing.
 *
 * <pre>
 * line      | BEGIN   | STOP      | RESUME    | GIVE_UP   | RECORD   | YIELD    | DETACH
 * FLOWING   | FLOWING | STOPPING  | FLOWING   | RECORDING |          | YIELDING | DETACHED
 * STOPPING  |         | STOPPING  | FLOWING   | RECORDING |          | YIELDING | DETACHED
 * RECORDING |         | RECORDING | RECORDING | RECORDING | FLOWING  |          | DETACHED
 * YIELDING  |         | YIELDING  | YIELDING  | YIELDING  |          |          | DETACHED
 * DETACHED  |         | DETACHED  |           | DETACHED  | DETACHED |          | DETACHED
 * </pre>
 *
 * <ul>
 *   <li>BEGIN: its next message is sent.
 *   <li>STOP: a message was not delivered. When nothing is in flight, {@link OutcomeHandler} decides about the first that was not. If it is held, the line
 *       goes behind it and ends.
 *   <li>RESUME: nobody is to blame. The line goes on with a new run, but not for ever.
 *   <li>GIVE_UP: a message was given up. A crash before that is recorded would let it be tried again, and it would arrive late: so nothing begins until
 *       then. One that was rejected while others are in flight behind it is no such event.
 *   <li>RECORD: what the line waited for is recorded. What was not delivered meanwhile has broken its run, so nothing begins until that is decided too.
 *   <li>YIELD: a message of the key was found in the held table, and the line is hot or has later ones of it. When nothing is in flight, all go there, in one transaction: a crash must not leave a lower row
 *       of the key in the hot table.
 *   <li>DETACH: the lane is read again from its head, released or lost. Nothing is left but what is in flight, and nothing waits for it.
 * </ul>
 */
final class Lines {

    private final RelayContext context;
    private final Ordering ordering;
    private final SettleBuffer settle;
    private final Agenda agenda;
    private final List<Line> yielding = new ArrayList<>();
    final Evictions evictions;

    Lines(RelayContext context, LaneMemory memory, SettleBuffer settle, Agenda agenda) {
        this.context = context;
        this.ordering = context.options().ordering();
        this.settle = settle;
        this.agenda = agenda;
        this.evictions = new Evictions(memory, settle);
    }

    /** A row of the hot table was read. */
    void joinHot(TrackedMessage row, boolean isKeyHeld) {
        row.enterMemory();
        Optional<Line.Key> key = keyOf(row);
        Line line = key.map(row.lane.lines::get).orElse(null);
        if (line == null ? isKeyHeld : line.isHeld) {
            moveBehindHeld(row);
        } else {
            append(row, line != null ? line : newLine(row, key));
        }
    }

    private Optional<Line.Key> keyOf(TrackedMessage row) {
        return switch (ordering) {
            case NONE -> Optional.empty();
            case GLOBAL -> Optional.of(new Line.Key(row.gate, ""));
            case PER_KEY -> row.message.key().map(key -> new Line.Key(row.gate, key));
        };
    }

    private static Line newLine(TrackedMessage row, Optional<Line.Key> key) {
        Line line = new Line(row, key);
        key.ifPresent(common -> row.lane.lines.put(common, line));
        return line;
    }

    private static void append(TrackedMessage row, Line line) {
        line.append(row);
        line.gate.addReady(line);
    }

    /** A row of the held table was read, which is due or follows one that is. {@link #endHeldRead} follows the last. */
    void joinHeld(TrackedMessage row) {
        // Under global order at most one is due, and nothing else is read.
        Optional<Line.Key> key = ordering == Ordering.PER_KEY ? keyOf(row) : Optional.empty();
        Line line = key.map(row.lane.lines::get).orElse(null);
        if (line == null || (line.isHeld && line.lastSeq() < row.ref.seq() && line.state() != LineState.YIELDING)) {
            row.enterMemory();
            append(row, line != null ? line : newLine(row, key));
        } else if (line.state() == LineState.FLOWING || line.state() == LineState.STOPPING) {
            // A held row comes late between two that were read when hot ones have gone behind the first. A line that
            // waits for a record does so at
            // the next read: the database may answer this one before it records again.
            line.yield();
            yielding.add(line);
        }
        // What is not in the line is read again when it is gone: nothing may pass it.
    }

    /** All held rows that were read have joined: lines that yield to some of them go behind, once nothing is in flight. */
    void endHeldRead() {
        for (Line line : yielding) {
            if (line.isAtRest()) {
                moveBehindHeld(line);
                agenda.heldIn(Duration.ZERO);
            }
        }
        yielding.clear();
    }

    /** Its send begins. */
    void begin(TrackedMessage row) {
        row.take(Event.BEGIN);
        row.sentAt = context.now();
        row.lane.began();
        lineOf(row).begin();
    }

    static Line lineOf(TrackedMessage row) {
        return Objects.requireNonNull(row.line);
    }

    /** Its send has ended, well or not. */
    void ended(TrackedMessage row) {
        row.take(Event.END);
        row.lane.ended();
        row.gate.ended(row, context.now());
        lineOf(row).ended();
    }

    /** It was not delivered; what that means is decided when nothing of its line is in flight. */
    void failed(TrackedMessage row, Outcome outcome) {
        row.outcome = outcome;
        lineOf(row).stop();
    }

    /** It was delivered: that is to be recorded, unless it cannot or must not be. */
    void delivered(TrackedMessage row) {
        boolean keeps = context.store().keepsDelivered();
        Line line = lineOf(row);
        line.remove(row);
        line.trust();
        if (row.isVoid) {
            evictions.drop(row);
        } else if (!row.held && !keeps) {
            row.take(Event.SETTLE);
            settle.addDelivered(row);
        } else if (row.lane.isLost()) {
            evictions.drop(row);
        } else {
            settle(row, new RowOutcome.Delivered());
        }
        if (row.held) {
            // The next row of the key falls due with this one's removal.
            agenda.heldIn(Duration.ZERO);
        }
    }

    /** What stops the line of a row whose send has ended, if nothing of it is in flight any more. */
    Optional<TrackedMessage> blamed(TrackedMessage row) {
        return lineOf(row).firstUndelivered();
    }

    /** Those that were begun behind it and not delivered either go back into the line; it is not their fault. */
    List<TrackedMessage> recallBehind(TrackedMessage blamed) {
        Line line = lineOf(blamed);
        List<TrackedMessage> behind = line.takeBegunBehindFirst();
        if (blamed.lane.isLost()) {
            return behind;
        }
        behind.forEach(row -> row.take(Event.RESUME));
        if (line.state() == LineState.DETACHED) {
            behind.forEach(evictions::dropUnsent);
        } else {
            line.putBack(behind);
        }
        return behind;
    }

    /** A message has ended and left its line: the next may begin, or all go behind a held one. */
    void goOn(TrackedMessage row) {
        Line line = lineOf(row);
        if (line.state() == LineState.YIELDING && line.isAtRest()) {
            moveBehindHeld(line);
            agenda.heldIn(Duration.ZERO);
        } else if (line.isEmpty()) {
            remove(line);
        } else {
            line.gate.addReady(line);
        }
    }

    private static void remove(Line line) {
        line.key.ifPresent(key -> line.lane.lines.remove(key, line));
    }

    /** Whether the line of a message that was abandoned may go on at once. */
    boolean mayResume(TrackedMessage row) {
        return lineOf(row).mayResume();
    }

    /** Nobody is to blame: the line goes on with this message. */
    void resume(TrackedMessage row) {
        Line line = lineOf(row);
        row.take(Event.RESUME);
        line.remove(row);
        if (line.state() == LineState.DETACHED) {
            evictions.dropUnsent(row);
            return;
        }
        line.putBack(List.of(row));
        line.resume();
    }

    /** It has ended, and that cannot be recorded. */
    void dropEnded(TrackedMessage row) {
        lineOf(row).remove(row);
        evictions.drop(row);
    }

    /** No attempt is counted; the row and those behind it are read again when the destination is back, or now if it already is. */
    void returnUnsent(TrackedMessage row) {
        Line line = lineOf(row);
        remove(line);
        line.removeAll().forEach(evictions::dropUnsent);
    }

    /** Records an outcome with the fence. */
    private void settle(TrackedMessage row, RowOutcome.Outcome outcome) {
        row.take(Event.SETTLE);
        settle.addChange(
                row.lane, row.held ? RowOutcome.held(row.ref, outcome) : RowOutcome.hot(row.ref, outcome), row);
    }

    /** The row is held: those behind it go behind it there too; what came from there is read again when it is due. */
    void hold(TrackedMessage row, RowOutcome.Outcome outcome) {
        Line line = lineOf(row);
        line.remove(row);
        settle(row, outcome);
        holdLine(line);
    }

    private void holdLine(Line line) {
        if (ordering == Ordering.GLOBAL) {
            evictions.reset(line.lane);
        } else {
            moveBehindHeld(line);
        }
    }

    /** A held row cannot be tried now. It is due and stays so: it is read again when its place is tried. */
    void leaveHeld(TrackedMessage row) {
        Line line = lineOf(row);
        line.remove(row);
        holdLine(line);
        evictions.drop(row);
    }

    /** It is given up: the line flows on when that is recorded, or at once if others were begun behind it. */
    void giveUp(TrackedMessage row, RowOutcome.Dead outcome) {
        Line line = lineOf(row);
        if (line.hasBegunBehind(row)) {
            line.remove(row);
        } else {
            line.awaitRecord(row);
        }
        settle(row, outcome);
    }

    /** Something of this key is held: all that waits here goes behind it. */
    private void moveBehindHeld(Line line) {
        remove(line);
        line.removeAll().forEach(this::moveBehindHeld);
    }

    /** An earlier message of its key is held: this one waits behind it. */
    private void moveBehindHeld(TrackedMessage row) {
        if (row.held) {
            evictions.drop(row);
        } else {
            settle(row, new RowOutcome.Behind(row.destination()));
            context.listener().heldBehind(row.attempt(0));
            agenda.heldIn(Duration.ZERO);
        }
    }

    /** The outcome of this row is recorded: if it was given up, the next of its line may go now. */
    void recorded(TrackedMessage row) {
        row.leaveMemory();
        if (row.line != null && row.line.recorded(row)) {
            goOn(row);
        }
    }
}
