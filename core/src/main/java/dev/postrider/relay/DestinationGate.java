package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.relay.CircuitBreaker.Verdict;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One destination as all workers of a relay see it: whether it may be sent to ({@link CircuitBreaker}), and which of its {@link Places}
 * cannot. Tells workers and listeners of every change. Thread-safe.
 */
final class DestinationGate {

    private final Destination destination;
    private final RelayContext context;
    private final CircuitBreaker breaker;
    private final Places places;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private final AtomicInteger slowWorkers = new AtomicInteger();
    private volatile Change lastChange;

    DestinationGate(Destination destination, RelayContext context) {
        this.destination = destination;
        this.context = context;
        this.breaker = new CircuitBreaker(destination.maxInFlight(), context);
        this.places = new Places(destination.name(), context);
        this.lastChange = new Change(context.now(), "");
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

    DestinationState state() {
        return breaker.state();
    }

    boolean isClosed() {
        return breaker.isClosed();
    }

    /** Why it is closed; empty if it is not, or an operator has paused it. */
    String why() {
        return lastChange.why();
    }

    /** Since when it stands as it does. */
    Duration inStateFor() {
        return context.since(lastChange.at());
    }

    int inFlight() {
        return breaker.inFlight();
    }

    /** Whether a worker gives it less room, so that others flow past it. */
    boolean isSlow() {
        return slowWorkers.get() > 0;
    }

    /** A worker gives it less room, or as much as any other again. */
    void slowed(boolean isSlower) {
        slowWorkers.addAndGet(isSlower ? 1 : -1);
    }

    /** Grows each time the gate leaves the closed state: rows passed over until then must be read again. */
    long reopenings() {
        return breaker.reopenings();
    }

    /** How many outages have begun. */
    long outages() {
        return breaker.outages();
    }

    /** How long the gate waits, or waited last, before it lets a message in again. */
    Duration retryIn() {
        return breaker.retryIn();
    }

    /** How long a message waits with which the gate was tried in vain, so that the next one to try it with is another. */
    Duration stepBack() {
        return breaker.stepBack();
    }

    /** Reserves the right to send this message; whoever gets it calls exactly one of the ending methods. */
    boolean tryEnter(MessageId id) {
        return breaker.tryEnter(id);
    }

    /** The send ended without telling anything about the destination's health. */
    void left() {
        tell(breaker.left(), "nothing got through in a trial");
    }

    /** A message was not sent after all, or met a closed place: a trial has learned nothing, and another message takes its turn. */
    void toldNothing() {
        tell(breaker.toldNothing(), "");
    }

    void succeeded() {
        tell(breaker.succeeded(), "");
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
        return tell(breaker.dropped(id, outagesBefore), reason);
    }

    /**
     * The send failed, for a reason of the message's own as far as the destination can tell.
     *
     * @param key whose message it was
     * @param outagesBefore as for {@link #dropped}
     */
    Fate failed(String key, String reason, long outagesBefore) {
        return tell(breaker.failed(key, outagesBefore), Suspicion.because(reason));
    }

    private Fate tell(Verdict verdict, String reason) {
        if (verdict.wentDown()) {
            lastChange = new Change(context.now(), reason);
            context.listener().outage(name(), reason, retryIn());
        }
        if (verdict.opened()) {
            lastChange = new Change(context.now(), "");
            places.canBeTriedAgain();
            context.listener().recovered(name());
        }
        if (verdict.wentDown() || verdict.opened() || verdict.hasRoomAgain()) {
            tellWatchers();
        }
        return verdict.fate();
    }

    /** Asks the destination whether it is healthy, when it is time to. Called by one thread, since it may block. */
    void probeIfDue() {
        if (breaker.isProbeDue() && breaker.probed(healthCheck())) {
            places.canBeTriedAgain();
            tellWatchers();
        }
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
        if (!breaker.setPaused(wanted)) {
            return;
        }
        lastChange = new Change(context.now(), "");
        if (wanted) {
            context.listener().paused(name());
        } else {
            places.canBeTriedAgain();
            context.listener().resumed(name());
        }
        tellWatchers();
    }

    private void tellWatchers() {
        watchers.forEach(Runnable::run);
    }

    /** When its state changed last, and why. */
    private record Change(long at, String why) {}
}
