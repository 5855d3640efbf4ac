package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import java.time.Duration;

/**
 * Decides by how sends end whether a destination may be sent to: open, down, or half open. Thread-safe; it tells nobody, that is for {@link
 * DestinationGate}.
 *
 * <p>An outage counts no attempt. After its back-off, unless the destination knows that it is still down, the breaker is half open: one
 * message at a time, and the first success opens it. A message that itself makes the broker drop the connection would look like an endless
 * outage: {@link DropHistory} finds it when it is alone in flight. At a busy destination that cannot tell how it is, hundreds may be
 * delivered between two drops of the same message: {@link PoisonWatch} remembers it.
 *
 * <p>A destination at which messages of several keys fail in a row, each as if for itself, and none succeeds, counts as down too ({@link
 * Suspicion}). Nothing but messages can tell then whether it is back: it is tried with a few, then with more, and the first success opens
 * the breaker. Those that fail step back, so that others are tried next.
 */
final class CircuitBreaker {

    private final RelayContext context;
    private final int maxInFlight;

    /** Then only one message can be tried, so that nothing could tell its failure from the destination's. */
    private final boolean isGlobal;

    private final DropHistory drops;
    private final Suspicion suspicion = new Suspicion();
    private final PoisonWatch poison = new PoisonWatch();
    private State state = State.OPEN;
    private boolean isPaused;
    private long retryAt;
    private Duration retryIn = Duration.ZERO;
    private int failedProbes;
    private int inFlight;
    private boolean hasRefused;
    private long reopenings;
    private long outages;

    private enum State {
        OPEN,
        HALF_OPEN,
        DOWN
    }

    CircuitBreaker(int maxInFlight, RelayContext context) {
        this.context = context;
        this.maxInFlight = maxInFlight;
        this.isGlobal = context.options().ordering() == Ordering.GLOBAL;
        this.drops = new DropHistory(context.options().maxInFlight());
    }

    synchronized DestinationState state() {
        if (isPaused) {
            return DestinationState.PAUSED;
        }
        return switch (state) {
            case OPEN -> DestinationState.UP;
            case HALF_OPEN -> DestinationState.TRYING;
            case DOWN -> DestinationState.DOWN;
        };
    }

    synchronized int inFlight() {
        return inFlight;
    }

    synchronized boolean isClosed() {
        return isPaused || state == State.DOWN;
    }

    synchronized long reopenings() {
        return reopenings;
    }

    synchronized long outages() {
        return outages;
    }

    synchronized Duration retryIn() {
        return retryIn;
    }

    synchronized Duration stepBack() {
        return suspicion.stepBack(retryIn);
    }

    synchronized boolean tryEnter(MessageId id) {
        if (isClosed() || !hasRoomFor(id) || (isTrial() && !suspicion.takeTurn())) {
            hasRefused = true;
            return false;
        }
        poison.entered(id);
        inFlight++;
        return true;
    }

    private boolean hasRoomFor(MessageId id) {
        boolean mustGoAlone = poison.mustGoAlone(id);
        boolean hasRoom = inFlight < (mustGoAlone ? 1 : limit()) && !poison.isAnothersTurn(id, context.now());
        if (!hasRoom && mustGoAlone) {
            poison.reserve(id, context.now());
        }
        return hasRoom;
    }

    private int limit() {
        if (isTrial()) {
            return maxInFlight;
        }
        return state == State.HALF_OPEN || drops.isSuspicious() ? 1 : maxInFlight;
    }

    private boolean isTrial() {
        return state == State.HALF_OPEN && suspicion.isRaised();
    }

    synchronized Verdict left() {
        leave();
        boolean wentDown = endTrialIfOver();
        return verdict(Fate.ATTEMPT, wentDown, false);
    }

    synchronized Verdict toldNothing() {
        leave();
        if (isTrial()) {
            suspicion.giveBackTurn();
        }
        return verdict(Fate.UNSENT, false, false);
    }

    private void leave() {
        inFlight--;
        if (inFlight == 0) {
            poison.nothingIsInFlight();
        }
    }

    /** A trial without a success is over when all its messages have ended. */
    private boolean endTrialIfOver() {
        boolean isOver = isTrial() && suspicion.isTrialFull() && inFlight == 0;
        if (isOver) {
            goDown();
        }
        return isOver;
    }

    synchronized Verdict succeeded() {
        leave();
        boolean wasClosed = state == State.DOWN && suspicion.isRaised();
        boolean opens = state == State.HALF_OPEN || wasClosed;
        suspicion.succeeded(opens);
        poison.delivered();
        if (wasClosed) {
            // Another message of the same trial has failed before this one.
            reopenings++;
        }
        if (opens) {
            state = State.OPEN;
            failedProbes = 0;
            drops.foundHealthy(outages > 0);
        }
        drops.succeeded();
        return verdict(Fate.ATTEMPT, false, opens);
    }

    synchronized Verdict dropped(MessageId id, long outagesBefore) {
        Fate fate = Fate.UNSENT;
        boolean wentDown = false;
        if (outagesBefore == outages) {
            boolean wasAlone = inFlight == 1;
            boolean isPoison = poison.dropped(id, wasAlone);
            if (isPoison || (drops.blamesWhoWasAlone() && wasAlone)) {
                fate = Fate.ATTEMPT;
            } else if (state == State.HALF_OPEN && !drops.isHealthySince()) {
                fate = Fate.STEPS_BACK;
            }
            // One that is known to do so says nothing about the destination: others go on, unless it was the last of a
            // trial.
            wentDown = state != State.DOWN && (!isPoison || isTrial());
        }
        if (wentDown) {
            drops.dropped();
            goDown();
            suspicion.lift();
        }
        leave();
        return verdict(fate, wentDown, false);
    }

    synchronized Verdict failed(String key, long outagesBefore) {
        leave();
        boolean wentDown = false;
        if (outagesBefore == outages && state != State.DOWN && !isGlobal) {
            boolean wasRaised = suspicion.isRaised();
            wentDown = suspicion.failed(key) && !wasRaised;
        }
        if (wentDown) {
            goDown();
        } else {
            wentDown = endTrialIfOver();
        }
        return verdict(suspicion.isRaised() ? Fate.STEPS_BACK : Fate.ATTEMPT, wentDown, false);
    }

    private void goDown() {
        drops.wentDown();
        outages++;
        state = State.DOWN;
        scheduleProbe();
    }

    private void scheduleProbe() {
        retryIn = context.options().outageBackoff().delay(++failedProbes);
        retryAt = context.now() + Nanos.of(retryIn);
    }

    private Verdict verdict(Fate fate, boolean wentDown, boolean opened) {
        boolean hasRoomAgain = hasRefused;
        hasRefused = false;
        return new Verdict(fate, wentDown, opened, hasRoomAgain);
    }

    synchronized boolean isProbeDue() {
        return state == State.DOWN && context.now() - retryAt >= 0;
    }

    /** Returns whether messages may be sent again. */
    synchronized boolean probed(Health health) {
        if (state != State.DOWN) {
            // A send that was still on its way has opened it meanwhile.
            return false;
        }
        if (health instanceof Health.Down) {
            scheduleProbe();
            return false;
        }
        state = State.HALF_OPEN;
        suspicion.beginTrial(failedProbes);
        drops.foundHealthy(health instanceof Health.Up);
        reopenings++;
        return true;
    }

    /** Returns whether that is a change. */
    synchronized boolean setPaused(boolean wanted) {
        if (isPaused == wanted) {
            return false;
        }
        isPaused = wanted;
        if (!isPaused && state != State.DOWN) {
            state = State.HALF_OPEN;
            reopenings++;
        }
        return true;
    }

    /**
     * What the end of a send means.
     *
     * @param fate for its message, if it failed
     * @param hasRoomAgain whether another was refused since the last one ended
     */
    record Verdict(Fate fate, boolean wentDown, boolean opened, boolean hasRoomAgain) {}
}
