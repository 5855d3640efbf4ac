package dev.postrider.relay;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.HeldMessages.Place;
import dev.postrider.spi.HeldReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places of one destination that cannot be sent to now, though the destination can: they are missing, forbidden or full.
 *
 * <p>Each is tried with one message now and then, and the others that wait for it wait until one got through. Where all messages of a
 * topic go to the place, those are all of the topic. Otherwise they are those that have found it closed, told by the error that they were
 * held with; messages that have not been tried may go elsewhere, and are. Shared by all workers of a relay; thread-safe.
 */
final class Places {

    /** Beyond this many, each message is tried for itself, and nobody is told. */
    private static final int MAX_PLACES = 1000;

    /** How often such a message is tried, whatever their number. */
    private static final long BETWEEN_UNTOLD = Nanos.of(Duration.ofMillis(10));

    private static final long LONGEST_UNTOLD = Nanos.of(Duration.ofMinutes(10));

    private final String destination;
    private final RelayContext context;
    private final Map<Spot, PlaceState> places = new HashMap<>();
    private final Map<Spot, PlaceState> byError = new HashMap<>();
    private volatile boolean hasAny;
    private long recoveries;
    private long couldBeTriedSince;
    private long untoldUntil;

    Places(String destination, RelayContext context) {
        this.destination = destination;
        this.context = context;
        this.couldBeTriedSince = context.now();
        this.untoldUntil = context.now();
    }

    /** Whether this message may be sent now; if it is the one to try its place with, no other may until it has ended. */
    boolean mayTry(TrackedMessage entry) {
        return !hasAny || reserve(entry);
    }

    private synchronized boolean reserve(TrackedMessage entry) {
        PlaceState place = placeOf(entry);
        if (place == null || place.isOpen() || context.options().isPastUnavailableLimit(entry.age(context.now()))) {
            return true;
        }
        if (place.isClosed(context.now())) {
            return false;
        }
        place.tried();
        entry.tries = place;
        return true;
    }

    /** The place that a message is known to go to; null if there is none, or none that was ever closed. */
    private @Nullable PlaceState placeOf(TrackedMessage entry) {
        PlaceState topic = places.get(Spot.ofTopic(entry.message.topic()));
        return topic != null && !topic.isOpen() ? topic : byError.get(Spot.of(entry.message.topic(), entry.error));
    }

    /** A send found its place unavailable. Returns how long its message should wait, and why. */
    Wait failed(TrackedMessage entry, Unavailable failure) {
        boolean isNews;
        Wait wait;
        synchronized (this) {
            PlaceState tried = entry.tries;
            endTrial(entry);
            Optional<PlaceState> known = find(entry.message.topic(), failure);
            if (known.isEmpty()) {
                return new Wait(queueUntold(), errorOf(failure));
            }
            PlaceState place = known.get();
            isNews = place.failed(failure, tried == place, context.now());
            wait = waitFor(entry, place);
        }
        if (isNews) {
            context.listener().unavailable(destination, failure.place(), failure.reason());
        }
        return wait;
    }

    private Optional<PlaceState> find(String topic, Unavailable failure) {
        Spot spot = failure.concernsTopic() ? Spot.ofTopic(topic) : Spot.of(topic, failure.place());
        PlaceState known = places.get(spot);
        if (known != null) {
            return Optional.of(known);
        }
        forgetOld(false);
        return places.size() < MAX_PLACES ? Optional.of(add(spot, failure)) : Optional.empty();
    }

    private PlaceState add(Spot spot, Unavailable failure) {
        PlaceState place =
                new PlaceState(failure, errorOf(failure), context.options().outageBackoff(), context.now());
        places.put(spot, place);
        if (!failure.concernsTopic()) {
            byError.put(Spot.of(spot.topic(), place.error), place);
        }
        hasAny = true;
        return place;
    }

    /** As it comes back from the store. Names the place, or others of the topic would be taken for its messages. */
    private static String errorOf(Unavailable failure) {
        String reason = failure.reason();
        return StoredText.of(
                HeldReport.WAITS + (reason.contains(failure.place()) ? reason : failure.place() + ": " + reason));
    }

    private Duration queueUntold() {
        long now = context.now();
        long earliest = now + Nanos.of(context.options().outageBackoff().delay(MAX_PLACES));
        untoldUntil = earliest - untoldUntil > 0 ? earliest : untoldUntil + BETWEEN_UNTOLD;
        return Duration.ofNanos(Math.min(untoldUntil - now, LONGEST_UNTOLD));
    }

    private Wait waitFor(TrackedMessage entry, PlaceState place) {
        return new Wait(entry.held ? place.retryIn() : place.queueUp(context.now()), place.error);
    }

    /** For a message that may not be tried now: how long it should wait, and why. */
    synchronized Wait waitFor(TrackedMessage entry) {
        PlaceState place = placeOf(entry);
        return place == null ? new Wait(Duration.ZERO, "Its place is available again") : waitFor(entry, place);
    }

    /** How long, and why. */
    record Wait(Duration delay, String reason) {}

    /** A message was delivered, so its place is available. */
    void delivered(TrackedMessage entry) {
        if (hasAny) {
            open(entry).forEach(place -> context.listener().available(destination, place));
        }
    }

    private synchronized List<String> open(TrackedMessage entry) {
        endTrial(entry);
        String topic = entry.message.topic();
        List<PlaceState> opened = Stream.of(
                        Optional.ofNullable(places.get(Spot.ofTopic(topic))),
                        Optional.ofNullable(byError.get(Spot.of(topic, entry.error))))
                .flatMap(Optional::stream)
                .filter(place -> !place.isOpen())
                .toList();
        recoveries += opened.size();
        return opened.stream()
                .filter(place -> place.delivered(context.now()))
                .map(PlaceState::name)
                .toList();
    }

    /** A message ended in a way that says nothing of its place. */
    void endedOtherwise(TrackedMessage entry) {
        if (hasAny) {
            release(entry);
        }
    }

    private synchronized void release(TrackedMessage entry) {
        endTrial(entry);
    }

    private static void endTrial(TrackedMessage entry) {
        if (entry.tries != null) {
            entry.tries.trialEnded();
            entry.tries = null;
        }
    }

    /** The destination was closed, and messages may be sent again. */
    synchronized void canBeTriedAgain() {
        couldBeTriedSince = context.now();
    }

    /** Those that nothing may be sent to now. */
    synchronized Set<Place> closed() {
        Set<Place> closed = new HashSet<>();
        places.forEach((spot, place) -> {
            if (place.isClosed(context.now())) {
                closed.add(new Place(destination, spot.topic(), spot.name().map(name -> place.error)));
            }
        });
        return closed;
    }

    /** How long until a place is to be tried again, in nanoseconds; empty if none is. */
    synchronized Optional<Long> nextTrialIn() {
        long now = context.now();
        return places.values().stream()
                .filter(place -> place.waitsForTrial(now))
                .map(place -> place.retryAt() - now)
                .min(Long::compare);
    }

    /** Grows each time a place is available again: what waited for it may be read. */
    synchronized long recoveries() {
        return recoveries;
    }

    /**
     * Those that are unavailable and that a message of this relay waits for.
     *
     * @param isPaused whether nothing can be sent to any of them, so that it is no wonder that nobody tries
     */
    synchronized List<UnavailablePlace> list(boolean isPaused) {
        forgetOld(isPaused);
        return places.values().stream()
                .filter(place -> !place.isOpen())
                .map(place -> place.describe(destination, context.now()))
                .toList();
    }

    private void forgetOld(boolean isPaused) {
        long now = context.now();
        long since = isPaused ? now : couldBeTriedSince;
        places.values().removeIf(place -> place.isForgotten(now, since));
        byError.values().removeIf(place -> place.isForgotten(now, since));
        hasAny = !places.isEmpty();
    }

    /** A place by its name, or all of a topic. */
    private record Spot(String topic, Optional<String> name) {

        static Spot ofTopic(String topic) {
            return new Spot(topic, Optional.empty());
        }

        static Spot of(String topic, String name) {
            return new Spot(topic, Optional.of(name));
        }
    }
}
