package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Decides whether a destination may be sent to: open, closed by an outage or an operator, or half open.
 *
 * <p>Shared by all workers of a relay. An outage closes the gate and counts no attempt. After its back-off, unless the
 * destination knows that it is still down, the gate is half open: one message at a time, and the first success opens it. A
 * message that itself makes the broker drop the connection would look like an endless outage: so from the second drop of a
 * destination known to be up (it said so, or something got through) the gate stays at one message at a time for a while, and
 * the message that is alone in flight when the connection drops again is to blame. At a busy destination that cannot tell how it is
 * hundreds may be delivered between two drops of the same message: {@link PoisonWatch} remembers it.
 *
 * <p>A destination at which messages of several keys fail in a row, each as if for itself, and none succeeds, counts as down too.
 * Nothing but messages can tell then whether it is back: it is tried with a few, then with more, and the first success opens the gate.
 * Those that fail step back, so that others are tried next.
 */
final class DestinationGate {

    private enum State {
        OPEN,
        HALF_OPEN,
        DOWN
    }

    /** After so many successes in a row a drop of the connection is no longer held against single messages. */
    private static final int SUCCESSES_TO_TRUST = 100;

    private final Destination destination;
    private final RelayContext context;
    private final int maxInFlight;
    /** Then only one message can be tried, so that nothing could tell its failure from the destination's. */
    private final boolean isGlobal;

    private final int successesToTrust;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

    private final Places places;
    private State state = State.OPEN;
    private boolean paused;
    private long retryAt;
    private Duration retryIn = Duration.ZERO;
    private int failedProbes;
    private boolean hasDropped;
    private boolean healthySinceLastDrop;
    private int dropsAfterHealthy;
    private int successes;
    private final Suspicion suspicion = new Suspicion();
    private final PoisonWatch poison = new PoisonWatch();
    private int inFlight;
    private boolean hasRefused;
    private long reopenings;
    private long outages;

    DestinationGate(Destination destination, RelayContext context) {
        this.destination = destination;
        this.context = context;
        this.maxInFlight = destination.maxInFlight();
        this.isGlobal = context.options().ordering() == Ordering.GLOBAL;
        this.places = new Places(destination.name(), context);
        this.successesToTrust = Math.min(context.options().maxInFlight(), SUCCESSES_TO_TRUST);
    }

    Destination destination() {
        return destination;
    }

    String name() {
        return destination.name();
    }

    /** Which of its places cannot be sent to though the gate is open. */
    Places places() {
        return places;
    }

    /** Its places that messages of this relay wait for. */
    List<UnavailablePlace> unavailablePlaces() {
        return places.list(isClosed());
    }

    /** Calls the watcher, on any thread, whenever sending may have become possible or impossible. */
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    synchronized DestinationState state() {
        if (paused) {
            return DestinationState.PAUSED;
        }
        return switch (state) {
            case OPEN -> DestinationState.UP;
            case HALF_OPEN -> DestinationState.TRYING;
            case DOWN -> DestinationState.DOWN;
        };
    }

    synchronized boolean isClosed() {
        return paused || state == State.DOWN;
    }

    /** Grows each time the gate leaves the closed state: rows passed over until then must be read again. */
    synchronized long reopenings() {
        return reopenings;
    }

    /** How many outages have begun. */
    synchronized long outages() {
        return outages;
    }

    /** Reserves the right to send this message; whoever gets it calls exactly one of the ending methods. */
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

    private void leave() {
        inFlight--;
        if (inFlight == 0) {
            poison.nothingIsInFlight();
        }
    }

    /** The send ended without telling anything about the destination's health. */
    void left() {
        boolean wentDown;
        boolean hasRoomAgain;
        synchronized (this) {
            leave();
            wentDown = endTrialIfOver();
            hasRoomAgain = takeRefusal();
        }
        tell(wentDown, "nothing got through in a trial", hasRoomAgain);
    }

    /** A message was not sent after all, or met a closed place: a trial has learned nothing, and another message takes its turn. */
    void toldNothing() {
        boolean hasRoomAgain;
        synchronized (this) {
            leave();
            if (isTrial()) {
                suspicion.giveBackTurn();
            }
            hasRoomAgain = takeRefusal();
        }
        tell(false, "", hasRoomAgain);
    }

    private boolean isTrial() {
        return state == State.HALF_OPEN && suspicion.isRaised();
    }

    /** A trial without a success is over when all its messages have ended. */
    private boolean endTrialIfOver() {
        boolean isOver = isTrial() && suspicion.isTrialFull() && inFlight == 0;
        if (isOver) {
            goDown();
        }
        return isOver;
    }

    private boolean takeRefusal() {
        boolean refused = hasRefused;
        hasRefused = false;
        return refused;
    }

    void succeeded() {
        boolean opened;
        boolean hasRoomAgain;
        synchronized (this) {
            leave();
            hasRoomAgain = takeRefusal();
            boolean wasClosed = state == State.DOWN && suspicion.isRaised();
            opened = state == State.HALF_OPEN || wasClosed;
            suspicion.succeeded(opened);
            poison.delivered();
            if (wasClosed) {
                // Another message of the same trial has failed before this one.
                noteReopening();
            }
            if (opened) {
                state = State.OPEN;
                failedProbes = 0;
                healthySinceLastDrop = outages > 0;
            }
            if (++successes >= successesToTrust) {
                dropsAfterHealthy = 0;
                // A drop long after this is an outage of its own, not the second of a series.
                healthySinceLastDrop = false;
                hasDropped = false;
            }
        }
        if (opened) {
            context.listener().recovered(name());
        }
        if (opened || hasRoomAgain) {
            tellWatchers();
        }
    }

    /**
     * The send ended because the destination could not be reached.
     *
     * @param outagesBefore {@link #outages()} before the send: if another has begun since, this is late news of it, which
     *     says nothing about the destination now
     * @return {@link Fate#ATTEMPT} if the message is to blame: it was alone in flight, and either the connection had dropped before in
     *     spite of a healthy check, or this message had dropped it before, each time followed by deliveries of others
     */
    Fate dropped(MessageId id, String reason, long outagesBefore) {
        Fate fate = Fate.UNSENT;
        boolean wentDown = false;
        boolean hasRoomAgain;
        synchronized (this) {
            if (outagesBefore == outages) {
                boolean wasAlone = inFlight == 1;
                boolean isPoison = poison.dropped(id, wasAlone);
                if (isPoison || (dropsAfterHealthy >= 1 && healthySinceLastDrop && wasAlone)) {
                    fate = Fate.ATTEMPT;
                } else if (state == State.HALF_OPEN && !healthySinceLastDrop) {
                    fate = Fate.STEPS_BACK;
                }
                // One that is known to do so says nothing about the destination: others go on, unless it was the last
                // of a trial.
                if (state != State.DOWN && (!isPoison || isTrial())) {
                    noteDrop();
                    goDown();
                    suspicion.lift();
                    wentDown = true;
                }
            }
            leave();
            hasRoomAgain = takeRefusal();
        }
        tell(wentDown, reason, hasRoomAgain);
        return fate;
    }

    private void noteDrop() {
        // Not if it was down because messages failed, each for itself: then this is the first drop.
        if (hasDropped && healthySinceLastDrop) {
            dropsAfterHealthy++;
        }
        hasDropped = true;
        healthySinceLastDrop = false;
    }

    /**
     * The send failed, for a reason of the message's own as far as the destination can tell.
     *
     * @param key whose message it was
     * @param outagesBefore as for {@link #dropped}
     */
    Fate failed(String key, String reason, long outagesBefore) {
        Fate fate = Fate.ATTEMPT;
        boolean wentDown = false;
        boolean hasRoomAgain;
        synchronized (this) {
            leave();
            if (outagesBefore == outages && state != State.DOWN && !isGlobal) {
                boolean wasRaised = suspicion.isRaised();
                wentDown = suspicion.failed(key) && !wasRaised;
            }
            if (wentDown) {
                goDown();
            } else {
                wentDown = endTrialIfOver();
            }
            if (suspicion.isRaised()) {
                fate = Fate.STEPS_BACK;
            }
            hasRoomAgain = takeRefusal();
        }
        tell(wentDown, Suspicion.because(reason), hasRoomAgain);
        return fate;
    }

    private void goDown() {
        successes = 0;
        outages++;
        state = State.DOWN;
        scheduleProbe();
    }

    private void scheduleProbe() {
        retryIn = context.options().outageBackoff().delay(++failedProbes);
        retryAt = context.now() + Nanos.of(retryIn);
    }

    private void tell(boolean wentDown, String reason, boolean hasRoomAgain) {
        if (wentDown) {
            context.listener().outage(name(), reason, retryIn());
        }
        if (wentDown || hasRoomAgain) {
            tellWatchers();
        }
    }

    /** How long the gate waits, or waited last, before it lets a message in again. */
    synchronized Duration retryIn() {
        return retryIn;
    }

    /** How long a message waits with which the gate was tried in vain, so that the next one to try it with is another. */
    synchronized Duration stepBack() {
        return suspicion.stepBack(retryIn);
    }

    /** Asks the destination whether it is healthy, when it is time to. Called by one thread, since it may block. */
    void probeIfDue() {
        synchronized (this) {
            if (state != State.DOWN || context.now() - retryAt < 0) {
                return;
            }
        }
        Health health = healthCheck();
        synchronized (this) {
            if (state != State.DOWN) {
                // A send that was still on its way has opened it meanwhile.
                return;
            }
            if (health instanceof Health.Down) {
                scheduleProbe();
                return;
            }
            state = State.HALF_OPEN;
            suspicion.beginTrial(failedProbes);
            healthySinceLastDrop = health instanceof Health.Up;
            noteReopening();
        }
        tellWatchers();
    }

    private void noteReopening() {
        reopenings++;
        places.canBeTriedAgain();
    }

    private Health healthCheck() {
        try {
            return destination.healthCheck();
        } catch (RuntimeException broken) {
            return Health.down("the health check failed: " + broken);
        }
    }

    /** Follows the operators' wish. */
    void setPaused(boolean wanted) {
        synchronized (this) {
            if (paused == wanted) {
                return;
            }
            paused = wanted;
            if (!paused && state == State.OPEN) {
                state = State.HALF_OPEN;
                noteReopening();
            } else if (!paused && state == State.HALF_OPEN) {
                noteReopening();
            }
        }
        if (wanted) {
            context.listener().paused(name());
        } else {
            context.listener().resumed(name());
        }
        tellWatchers();
    }

    private int limit() {
        if (isTrial()) {
            return maxInFlight;
        }
        return state == State.HALF_OPEN || dropsAfterHealthy >= 1 ? 1 : maxInFlight;
    }

    private void tellWatchers() {
        watchers.forEach(Runnable::run);
    }
}
