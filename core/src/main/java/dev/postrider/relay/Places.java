package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The topics of one destination that cannot be sent to now, though the destination can: their place is missing, forbidden or full.
 *
 * <p>Where all messages of a topic go to that place, one of them is tried now and then, and the others wait until it got
 * through. Where they may go elsewhere, each is tried. Shared by all workers of a relay; thread-safe.
 */
final class Places {

    /** Beyond this many, each message is tried for itself, and nobody is told. */
    private static final int MAX_TOPICS = 1000;

    /** A place that fails again so soon was not really back: its back-off goes on. */
    private static final Duration RECENTLY = Duration.ofMinutes(1);

    /** So that very many messages that are tried one by one do not keep the broker busy. */
    private static final Duration LONGEST_QUEUE = Duration.ofMinutes(2);

    private final String destination;
    private final RelayContext context;
    private final Map<String, Standing> topics = new HashMap<>();
    private volatile boolean hasAny;
    private long recoveries;

    Places(String destination, RelayContext context) {
        this.destination = destination;
        this.context = context;
    }

    /** Whether a message of this topic may be sent now; if it is the one to try the place with, nobody else may until it ends. */
    boolean mayTry(String topic) {
        return !hasAny || reserve(topic);
    }

    private synchronized boolean reserve(String topic) {
        Standing standing = topics.get(topic);
        if (standing == null || !isClosed(standing)) {
            if (standing != null && standing.isGated && !standing.isBack) {
                standing.isTried = true;
            }
            return true;
        }
        return false;
    }

    private boolean isClosed(Standing standing) {
        return !standing.isBack && standing.isGated && (standing.isTried || context.now() - standing.retryAt < 0);
    }

    /** A send found its place unavailable. Returns how long its message should wait. */
    Duration failed(String topic, Unavailable failure) {
        @Nullable Standing standing;
        boolean isNew;
        Duration delay;
        synchronized (this) {
            standing = topics.get(topic);
            if (standing == null && topics.size() >= MAX_TOPICS) {
                return context.options().outageBackoff().delay(MAX_TOPICS);
            }
            // A queue that is full lets some through now and then: nobody wants to hear of each.
            isNew = standing == null || (standing.isBack && !isRecent(standing));
            standing = standing == null || standing.isBack ? begin(topic, standing, failure) : standing;
            if (standing.isTried || context.now() - standing.retryAt >= 0) {
                standing.retryIn = context.options().outageBackoff().delay(++standing.failures);
                standing.retryAt = context.now() + Nanos.of(standing.retryIn);
            }
            standing.isTried = false;
            delay = standing.delay();
        }
        if (isNew) {
            context.listener().unavailable(destination, failure.place(), failure.reason());
        }
        return delay;
    }

    private Standing begin(String topic, @Nullable Standing before, Unavailable failure) {
        // With a limit each message must be tried, or it would not be given up.
        boolean isGated =
                failure.concernsTopic() && context.options().unavailableLimit().isEmpty();
        Standing standing = new Standing(failure, isGated, context.now());
        if (before != null && isRecent(before)) {
            standing.failures = before.failures;
            standing.waiting = before.waiting;
        }
        topics.put(topic, standing);
        hasAny = true;
        return standing;
    }

    private boolean isRecent(Standing standing) {
        return context.since(standing.backAt).compareTo(RECENTLY) < 0;
    }

    /** For a message that may not be tried now: how long it should wait, and why. */
    synchronized Wait waitFor(String topic) {
        Standing standing = topics.get(topic);
        return standing == null
                ? new Wait(Duration.ZERO, "its place is available again")
                : new Wait(standing.delay(), standing.failure.reason());
    }

    /** How long, and why. */
    record Wait(Duration delay, String reason) {}

    /** A message of this topic was delivered; {@code waited} if it had been held before. */
    void delivered(String topic, boolean waited) {
        if (!hasAny) {
            return;
        }
        Standing standing;
        synchronized (this) {
            standing = topics.get(topic);
            if (standing == null || standing.isBack || !(standing.isGated || waited)) {
                return;
            }
            standing.isBack = true;
            standing.backAt = context.now();
            recoveries++;
        }
        context.listener().available(destination, standing.failure.place());
    }

    /** A message of this topic ended in a way that says nothing of its place. */
    void endedOtherwise(String topic) {
        if (hasAny) {
            release(topic);
        }
    }

    private synchronized void release(String topic) {
        Standing standing = topics.get(topic);
        if (standing != null) {
            standing.isTried = false;
        }
    }

    /** Topics of which nothing may be sent now. */
    synchronized Set<String> closedTopics() {
        Set<String> closed = new HashSet<>();
        topics.forEach((topic, standing) -> {
            if (isClosed(standing)) {
                closed.add(topic);
            }
        });
        return closed;
    }

    /** How long until a place is to be tried again, in nanoseconds; empty if none is. */
    synchronized Optional<Long> nextTrialIn() {
        return topics.values().stream()
                .filter(standing -> isClosed(standing) && !standing.isTried)
                .map(standing -> standing.retryAt - context.now())
                .min(Long::compare);
    }

    /** Grows each time a place is available again: what waited for it may be read. */
    synchronized long recoveries() {
        return recoveries;
    }

    synchronized List<UnavailablePlace> list() {
        List<UnavailablePlace> places = new ArrayList<>();
        topics.values().stream()
                .filter(standing -> !standing.isBack)
                .map(standing -> new UnavailablePlace(
                        destination,
                        standing.failure.place(),
                        standing.failure.reason(),
                        context.since(standing.since)))
                .forEach(places::add);
        return places;
    }

    private static final class Standing {

        final Unavailable failure;
        final boolean isGated;
        final long since;
        int failures;
        long retryAt;
        Duration retryIn = Duration.ZERO;
        boolean isTried;
        boolean isBack;
        long backAt;
        private long waiting;

        Standing(Unavailable failure, boolean isGated, long now) {
            this.failure = failure;
            this.isGated = isGated;
            this.since = now;
            this.retryAt = now;
        }

        /** A millisecond more for each that waits. */
        Duration delay() {
            Duration queue = Duration.ofMillis(waiting++);
            Duration longest = queue.compareTo(LONGEST_QUEUE) < 0 ? queue : LONGEST_QUEUE;
            return !isGated && longest.compareTo(retryIn) > 0 ? longest : retryIn;
        }
    }
}
