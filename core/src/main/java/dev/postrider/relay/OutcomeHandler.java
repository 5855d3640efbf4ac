package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.Objects;

/** Decides what becomes of a message whose send has ended; {@link Lines} sees to those behind it. */
final class OutcomeHandler {

    private final RelayContext context;
    private final RelayOptions options;
    private final Lines lines;
    private final SettleBuffer settle;
    private final Agenda agenda;

    OutcomeHandler(RelayContext context, Lines lines, SettleBuffer settle, Agenda agenda) {
        this.context = context;
        this.options = context.options();
        this.lines = lines;
        this.settle = settle;
        this.agenda = agenda;
    }

    /** A send has ended. */
    void ended(Outcome outcome) {
        TrackedMessage row = outcome.row();
        lines.ended(row);
        if (outcome.result() instanceof DeliveryResult.Delivered) {
            delivered(row, outcome.took());
        } else if (outcome.result() instanceof DeliveryResult.Reject) {
            rejected(row, outcome);
        } else {
            lines.failed(row, outcome);
        }
        lines.blamed(row).ifPresent(this::decide);
        lines.goOn(row);
    }

    private void delivered(TrackedMessage row, Duration took) {
        Duration delay = row.age(row.sentAt + took.toNanos());
        context.listener().delivered(row.attempt(row.attempts + 1), delay, took);
        lines.delivered(row);
    }

    /** Known before the others of its line have ended: no other message is to blame for it. */
    private void rejected(TrackedMessage row, Outcome outcome) {
        if (row.isVoid || row.lane.isLost()) {
            context.listener().failed(row.attempt(row.attempts + 1), (Failed) outcome.result(), outcome.took());
            lines.dropEnded(row);
        } else {
            attemptFailed(row, outcome);
        }
    }

    /** Everything of its line has ended, and this is the first message that was not delivered. */
    private void decide(TrackedMessage row) {
        Outcome outcome = Objects.requireNonNull(row.outcome);
        lines.recallBehind(row).forEach(this::reportRecalled);
        if (outcome.result() instanceof DeliveryResult.Abandoned abandoned) {
            abandoned(row, abandoned);
        } else if (outcome.fate() == Fate.ATTEMPT) {
            attemptFailed(row, outcome);
        } else {
            notReached(row, outcome);
        }
    }

    private void reportRecalled(TrackedMessage row) {
        Outcome outcome = Objects.requireNonNull(row.outcome);
        if (outcome.result() instanceof Failed failure && !(failure instanceof DeliveryResult.Abandoned)) {
            reportNotReached(row, failure, outcome.took());
        }
    }

    private void reportNotReached(TrackedMessage row, Failed failure, Duration took) {
        var outage = new DeliveryResult.Outage(failure.reason(), failure.cause());
        context.listener().notReached(row.attempt(row.attempts + 1), outage, took);
    }

    private void abandoned(TrackedMessage row, Failed failure) {
        if (row.isVoid || row.lane.isLost()) {
            lines.returnUnsent(row);
        } else if (lines.mayResume(row)) {
            lines.resume(row);
        } else {
            // A destination that always says so would keep the worker from everything else.
            hold(row, row.attempts, failure.reason(), options.backoff().delay(row.attempts + 1));
        }
    }

    private void notReached(TrackedMessage row, Outcome outcome) {
        Failed failure = (Failed) outcome.result();
        reportNotReached(row, failure, outcome.took());
        if (outcome.fate() == Fate.UNSENT || row.isVoid || row.lane.isLost()) {
            lines.returnUnsent(row);
        } else if (failure instanceof DeliveryResult.Unavailable
                && options.isPastUnavailableLimit(row.age(context.now()))) {
            giveUp(row, DeadReason.ATTEMPTS_EXHAUSTED, row.attempts, failure);
        } else {
            Places.Wait wait = outcome.stepBack();
            hold(row, row.attempts, wait.reason(), stepBack(row, failure, wait.delay()));
        }
    }

    /** What may be the message's own failure after all is tried no sooner than it would be if it were. */
    private Duration stepBack(TrackedMessage row, Failed failure, Duration delay) {
        Duration own =
                failure instanceof DeliveryResult.Retry ? options.backoff().delay(row.attempts + 1) : Duration.ZERO;
        return own.compareTo(delay) > 0 ? own : delay;
    }

    /** Its place takes nothing at present: it waits untried, and its key behind it. */
    void waitForPlace(TrackedMessage row, Places.Wait wait) {
        if (row.held) {
            lines.leaveHeld(row);
        } else {
            hold(row, row.attempts, wait.reason(), wait.delay());
        }
    }

    private void attemptFailed(TrackedMessage row, Outcome outcome) {
        Failed failure = (Failed) outcome.result();
        int attempts = row.attempts + 1;
        context.listener().failed(row.attempt(attempts), failure, outcome.took());
        if (row.isVoid || row.lane.isLost()) {
            lines.returnUnsent(row);
        } else if (failure instanceof DeliveryResult.Reject) {
            giveUp(row, DeadReason.REJECTED, attempts, failure);
        } else if (attempts >= options.maxAttempts()) {
            giveUp(row, DeadReason.ATTEMPTS_EXHAUSTED, attempts, failure);
        } else {
            hold(row, attempts, failure.reason(), options.backoff().delay(attempts));
        }
    }

    private void hold(TrackedMessage row, int attempts, String error, Duration delay) {
        lines.hold(row, new RowOutcome.RetryLater(row.destination(), attempts, error, delay));
        context.listener().held(row.attempt(attempts), delay);
        agenda.heldIn(delay);
    }

    private void giveUp(TrackedMessage row, DeadReason reason, int attempts, Failed failure) {
        String error = failure.reason();
        if (options.onExhausted() == OnExhausted.BLOCK_KEY) {
            lines.hold(row, new RowOutcome.Blocked(row.destination(), attempts, error));
            context.listener().blocked(row.attempt(attempts), error);
            return;
        }
        lines.giveUp(row, new RowOutcome.Dead(reason, attempts, error));
        context.listener().dead(row.attempt(attempts), reason, error);
    }

    /** Gives up a message that leads nowhere. */
    void buryUnroutable(OwnedLane lane, RowRef ref, OutboxMessage message, boolean held, String error) {
        bury(lane, ref, held, new RowOutcome.Dead(DeadReason.REJECTED, 0, error));
        context.listener().unroutable(lane.number(), message, error);
    }

    /** Its row is no message: nothing can be sent. Returns whether that is new. */
    boolean buryUnreadable(OwnedLane lane, OutboxRow row, boolean held, String reason) {
        if (lane.changes.stream().anyMatch(pending -> pending.change().row().equals(row.ref()))) {
            return false;
        }
        int attempts = row instanceof OutboxRow.Held tried ? tried.attempts() : 0;
        bury(lane, row.ref(), held, new RowOutcome.Dead(DeadReason.UNREADABLE, attempts, reason));
        context.listener().unreadable(lane.number(), row.id(), reason);
        return true;
    }

    private void bury(OwnedLane lane, RowRef ref, boolean held, RowOutcome.Dead dead) {
        settle.addChange(lane, held ? RowOutcome.held(ref, dead) : RowOutcome.hot(ref, dead), null);
    }
}
