package dev.postrider.relay;

import dev.postrider.spi.DeliveryResult.Unavailable;
import java.time.Duration;

/** How one place stands that took nothing at least once. For {@link Places}, under its lock. */
final class PlaceState {

    /** What happens again so soon is no news: a queue that is full takes a message now and then. */
    static final long RECENTLY = Nanos.of(Duration.ofMinutes(1));

    /** So that messages of stores without held table do not come back all at once. */
    private static final long BETWEEN_NEW = Nanos.of(Duration.ofMillis(1));

    private static final long LONGEST_QUEUE = Nanos.of(Duration.ofMinutes(2));

    /** What is stored with the messages that wait for it, and tells them from others of their topic. */
    final String error;

    private final Backoff backoff;
    private Unavailable failure;
    private boolean isOpen;
    private boolean wasOpen;
    private boolean isTried;
    private boolean isTold;
    private int failures;
    private Duration retryIn = Duration.ZERO;
    private long retryAt;
    private long closedAt;
    private long openedAt;
    private long queuedUntil;

    PlaceState(Unavailable failure, String error, Backoff backoff, long now) {
        this.error = error;
        this.backoff = backoff;
        this.failure = failure;
        this.closedAt = now;
        this.retryAt = now;
        this.queuedUntil = now;
    }

    /** A message found it unavailable. Returns whether that is news. */
    boolean failed(Unavailable latest, boolean wasTrial, long now) {
        if (isOpen) {
            closeAgain(now);
        }
        failure = latest;
        if (wasTrial || now - retryAt >= 0) {
            retryIn = backoff.delay(++failures);
            retryAt = now + Nanos.of(retryIn);
        }
        boolean isNews = !isTold && (!wasOpen || now - openedAt >= RECENTLY);
        isTold |= isNews;
        return isNews;
    }

    private void closeAgain(long now) {
        isOpen = false;
        retryAt = now;
        if (now - openedAt >= RECENTLY) {
            closedAt = now;
            failures = 0;
        }
    }

    /** A message got through. Returns whether that is news. */
    boolean delivered(long now) {
        boolean isNews = isTold;
        isOpen = true;
        wasOpen = true;
        isTold = false;
        openedAt = now;
        return isNews;
    }

    /** A message is about to find out whether it takes any. */
    void tried() {
        isTried = true;
    }

    /** That message has ended. */
    void trialEnded() {
        isTried = false;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** Whether it must not be tried now. */
    boolean isClosed(long now) {
        return !isOpen && (isTried || now - retryAt < 0);
    }

    /** When it is to be tried again, if it is closed and not being tried. */
    boolean waitsForTrial(long now) {
        return isClosed(now) && !isTried;
    }

    long retryAt() {
        return retryAt;
    }

    /** Whether no message has shown any interest in it lately: those that waited have gone, perhaps to another relay. */
    boolean isForgotten(long now, long couldBeTriedSince) {
        return isOpen
                ? now - openedAt >= RECENTLY
                : !isTried && now - retryAt >= RECENTLY && now - couldBeTriedSince >= RECENTLY;
    }

    /** How long a message waits that has been held for it before. */
    Duration retryIn() {
        return retryIn;
    }

    /** The same for a message that has not been: behind all others that came so. */
    Duration queueUp(long now) {
        queuedUntil = now - queuedUntil > 0 ? now : queuedUntil + BETWEEN_NEW;
        Duration queue = Duration.ofNanos(Math.min(queuedUntil - now, LONGEST_QUEUE));
        return queue.compareTo(retryIn) > 0 ? queue : retryIn;
    }

    UnavailablePlace describe(String destination, long now) {
        return new UnavailablePlace(destination, failure.place(), failure.reason(), Duration.ofNanos(now - closedAt));
    }

    String name() {
        return failure.place();
    }
}
