package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Decides what becomes of a message whose send has ended, and of those behind it.
 *
 * <p>The next message of a key goes out as soon as its predecessor is delivered, but only after a given-up predecessor is
 * recorded as a dead letter: otherwise a crash in between would let that one be tried again and arrive late.
 */
final class OutcomeHandler {

    private final RelayContext context;
    private final RelayOptions options;
    private final LaneMemory memory;
    private final SettleBuffer settle;
    private final Consumer<Duration> onHeld;

    OutcomeHandler(RelayContext context, LaneMemory memory, SettleBuffer settle, Consumer<Duration> onHeld) {
        this.context = context;
        this.options = context.options();
        this.memory = memory;
        this.settle = settle;
        this.onHeld = onHeld;
    }

    /** A send has ended. */
    void ended(Outcome outcome) {
        TrackedMessage entry = outcome.entry();
        entry.lane.inFlight--;
        entry.gate.ended(entry);
        entry.state = TrackedMessage.State.ENDED;
        if (entry.queue != null && entry.queue.yieldsToHeld) {
            onHeld.accept(Duration.ZERO);
        }
        if (!(outcome.result() instanceof Failed failure)) {
            delivered(entry, outcome.took());
        } else if (outcome.fate() == Fate.ATTEMPT) {
            attemptFailed(entry, failure, outcome.took());
        } else {
            notReached(entry, failure, outcome);
        }
    }

    private void notReached(TrackedMessage entry, Failed failure, Outcome outcome) {
        var outage = new DeliveryResult.Outage(failure.reason(), failure.cause());
        context.listener().notReached(entry.attempt(entry.attempts + 1), outage, outcome.took());
        if (outcome.fate() == Fate.UNSENT || entry.isVoid || entry.lane.phase == Phase.LOST) {
            returnUnsent(entry);
        } else if (failure instanceof DeliveryResult.Unavailable
                && options.isPastUnavailableLimit(entry.age(context.now()))) {
            giveUp(entry, DeadReason.ATTEMPTS_EXHAUSTED, entry.attempts, failure.reason());
        } else {
            Places.Wait wait = outcome.stepBack();
            hold(entry, entry.attempts, wait.reason(), stepBack(entry, failure, wait.delay()));
        }
    }

    /** What may be the message's own failure after all is tried no sooner than it would be if it were. */
    private Duration stepBack(TrackedMessage entry, Failed failure, Duration delay) {
        Duration own =
                failure instanceof DeliveryResult.Retry ? options.backoff().delay(entry.attempts + 1) : Duration.ZERO;
        return own.compareTo(delay) > 0 ? own : delay;
    }

    /** Its place takes nothing at present: it waits untried, and its key behind it. */
    void waitForPlace(TrackedMessage entry, Places.Wait wait) {
        entry.state = TrackedMessage.State.ENDED;
        if (!entry.held) {
            hold(entry, entry.attempts, wait.reason(), wait.delay());
            return;
        }
        // It is due, and stays so: it is read again when the place is tried.
        if (options.ordering() == Ordering.GLOBAL) {
            memory.reset(entry.lane);
        }
        followersOf(entry).forEach(this::moveBehindHeld);
        memory.drop(entry);
    }

    private void delivered(TrackedMessage entry, Duration took) {
        Duration delay = entry.age(entry.sentAt + took.toNanos());
        context.listener().delivered(entry.attempt(entry.attempts + 1), delay, took);
        if (entry.isVoid) {
            memory.drop(entry);
        } else if (!entry.held && !context.store().keepsDelivered()) {
            settle.addDelivered(entry);
        } else if (entry.lane.phase == Phase.LOST) {
            memory.drop(entry);
        } else {
            settle.addChange(entry.lane, deliveredChange(entry), entry);
        }
        if (entry.held) {
            // The next row of the key falls due with this one's removal.
            onHeld.accept(Duration.ZERO);
        }
        advance(entry);
    }

    private Change deliveredChange(TrackedMessage entry) {
        return entry.held
                ? new Change.DeliverHeld(entry.ref, context.store().keepsDelivered())
                : new Change.Keep(entry.ref);
    }

    /** No attempt is counted; the row is read again when the destination is back, or now if it already is. */
    private void returnUnsent(TrackedMessage entry) {
        if (entry.queue != null) {
            entry.lane.queues.remove(entry.queue.key);
            entry.queue.removeAll().forEach(memory::dropUnsent);
        }
        memory.dropUnsent(entry);
    }

    private void attemptFailed(TrackedMessage entry, Failed failure, Duration took) {
        int attempts = entry.attempts + 1;
        context.listener().failed(entry.attempt(attempts), failure, took);
        if (entry.isVoid || entry.lane.phase == Phase.LOST) {
            memory.drop(entry);
        } else if (failure instanceof DeliveryResult.Reject) {
            giveUp(entry, DeadReason.REJECTED, attempts, failure.reason());
        } else if (attempts >= options.maxAttempts()) {
            giveUp(entry, DeadReason.ATTEMPTS_EXHAUSTED, attempts, failure.reason());
        } else {
            hold(entry, attempts, failure.reason(), options.backoff().delay(attempts));
        }
    }

    private void hold(TrackedMessage entry, int attempts, String error, Duration delay) {
        Change change = entry.held
                ? new Change.HoldAgain(entry.ref, attempts, error, delay)
                : new Change.Hold(entry.ref, entry.destination(), attempts, error, delay);
        settle.addChange(entry.lane, change, entry);
        holdFollowers(entry);
        context.listener().held(entry.attempt(attempts), delay);
        onHeld.accept(delay);
    }

    private void giveUp(TrackedMessage entry, DeadReason reason, int attempts, String error) {
        if (options.onExhausted() == OnExhausted.BLOCK_KEY) {
            settle.addChange(
                    entry.lane, new Change.Block(entry.ref, entry.destination(), entry.held, attempts, error), entry);
            holdFollowers(entry);
            context.listener().blocked(entry.attempt(attempts), error);
            return;
        }
        // Its queue goes on once this is recorded: see settled().
        settle.addChange(entry.lane, new Change.Bury(entry.ref, entry.held, reason, attempts, error), entry);
        context.listener().dead(entry.attempt(attempts), reason, error);
    }

    /** What waits behind a held message goes to the held table too; what came from there is read again when it is due. */
    private void holdFollowers(TrackedMessage entry) {
        if (options.ordering() == Ordering.GLOBAL) {
            memory.reset(entry.lane);
        } else {
            for (TrackedMessage follower : followersOf(entry)) {
                moveBehindHeld(follower);
            }
        }
    }

    /** Gives up a message that leads nowhere. */
    void buryUnroutable(OwnedLane lane, RowRef ref, OutboxMessage message, boolean held, String error) {
        settle.addChange(lane, new Change.Bury(ref, held, DeadReason.REJECTED, 0, error), null);
        context.listener().unroutable(lane.number(), message, error);
    }

    /** Its row is no message: nothing can be sent. Returns whether that is new. */
    boolean buryUnreadable(OwnedLane lane, OutboxRow row, boolean held, String reason) {
        if (lane.changes.stream().anyMatch(pending -> pending.change().row().equals(row.ref()))) {
            return false;
        }
        int attempts = row instanceof OutboxRow.Held tried ? tried.attempts() : 0;
        settle.addChange(lane, new Change.Bury(row.ref(), held, DeadReason.UNREADABLE, attempts, reason), null);
        context.listener().unreadable(lane.number(), row.id(), reason);
        return true;
    }

    /** Something of this key is held: all that waits here goes behind it. */
    void moveBehindHeld(KeyQueue queue) {
        for (TrackedMessage entry : queue.removeAll()) {
            entry.queue = null;
            moveBehindHeld(entry);
        }
    }

    /** An earlier message of its key is held: this one waits behind it. */
    void moveBehindHeld(TrackedMessage entry) {
        if (entry.held) {
            memory.drop(entry);
        } else {
            settle.addChange(entry.lane, new Change.HoldBehind(entry.ref, entry.destination()), entry);
            context.listener().heldBehind(entry.attempt(0));
            onHeld.accept(Duration.ZERO);
        }
    }

    private List<TrackedMessage> followersOf(TrackedMessage entry) {
        KeyQueue queue = entry.queue;
        if (queue == null) {
            return List.of();
        }
        entry.lane.queues.remove(queue.key);
        entry.queue = null;
        List<TrackedMessage> all = queue.removeAll();
        all.forEach(each -> each.queue = null);
        return all.stream().filter(each -> each != entry).toList();
    }

    /** The outcome of this entry is recorded: if it was given up, the next of its key may go now. */
    void settled(TrackedMessage entry) {
        advance(entry);
    }

    private void advance(TrackedMessage entry) {
        KeyQueue queue = entry.queue;
        if (queue == null || queue.head() != entry) {
            return;
        }
        entry.queue = null;
        queue.removeHead();
        if (queue.isEmpty()) {
            entry.lane.queues.remove(queue.key);
        } else if (queue.yieldsToHeld) {
            entry.lane.queues.remove(queue.key);
            moveBehindHeld(queue);
        } else {
            TrackedMessage next = queue.head();
            next.gate.addReady(next);
        }
    }
}
