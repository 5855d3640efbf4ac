package dev.postrider.spi.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * What a broker does with messages whose handlers have ended: the part of a receiver that differs from broker to broker. Called once for
 * each attempt, from any thread. No lock is held meanwhile, but for {@link #isLost}.
 *
 * @param <T> the message as the client of the broker knows it
 */
public interface Settlement<T> {

    /** Tells the broker that it was handled; the message is done with when this returns. */
    void acknowledge(Received<T> received);

    /** How often a message is handed over before it is parked. */
    int maxAttempts();

    /** Why it cannot be tried again although attempts are left; it is parked then. */
    default Optional<String> obstacle(Received<T> received) {
        return Optional.empty();
    }

    /**
     * Sees to the next attempt. Returns a pause if the message stays here and holds back its key. Otherwise the broker brings it again.
     *
     * @param done to be run when the message has left, if it leaves
     */
    Optional<Duration> retry(Received<T> received, String reason, Runnable done);

    /**
     * Puts the message where such messages are kept.
     *
     * @param done to be run when it is safe there, or has gone back to the broker
     */
    void park(Received<T> received, String reason, Runnable done);

    /** A message is done with, and another may be taken. */
    default void roomMade() {}

    /** Whether it has gone back to the broker, with its connection or partition, and arrives again: here it is tried no more. */
    default boolean isLost(T source) {
        return false;
    }
}
