package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/**
 * Told of everything that happens in a relay: for metrics, logs and alarms.
 *
 * <p>Called on the threads of the relay and of its destinations, so it must return quickly. Whatever it throws is logged and
 * otherwise ignored: a listener never stops the relay. Methods may be called from several threads at once.
 */
public interface RelayListener {

    /** Rows were read; {@code rows} may be 0. */
    default void fetched(int rows, Duration took) {}

    /** The destination acknowledged the message; {@code delay} is the time since its insert, by the database's clock. */
    default void delivered(String destination, OutboxMessage message, int attempt, Duration delay, Duration took) {}

    /** An attempt failed. An outage is reported by {@link #outage} instead. */
    default void failed(
            String destination, OutboxMessage message, int attempt, DeliveryResult.Failed failure, Duration took) {}

    /** The message will be tried again after the delay; its key waits until then. */
    default void held(OutboxMessage message, int attempts, Duration delay) {}

    /** The message was given up. */
    default void dead(OutboxMessage message, DeadReason reason, int attempts, String error) {}

    /** A row that cannot be read as a message was given up. */
    default void unreadable(String messageId, String reason) {}

    /** Outcomes were recorded. */
    default void settled(int rows, Duration took) {}

    /** A destination is unreachable; it is tried again after {@code retryIn}. */
    default void outage(String destination, String reason, Duration retryIn) {}

    /** A destination is reachable again, or its pause has ended. */
    default void recovered(String destination) {}

    /** An operator has paused a destination. */
    default void paused(String destination) {}

    /** This relay owns the lane from now on. */
    default void laneTaken(int lane, long epoch) {}

    /** This relay gave the lane back. */
    default void laneReleased(int lane) {}

    /** Somebody else owns the lane, or the lease could not be renewed in time. */
    default void laneLost(int lane) {}

    /** A send has not ended within the destination's delivery time-out; its key waits for it. */
    default void overdue(String destination, OutboxMessage message, Duration since) {}

    /** The store failed; the relay goes on by itself. */
    default void storeFailed(String operation, RuntimeException failure) {}

    /** The sweep found committed rows that the scan had missed. They are read now; it should never happen. */
    default void sweepFoundMissed(int lane, int rows) {}

    /**
     * A part of the relay has not moved for longer than a lease: it hangs in the store or in a destination. Its lanes go to
     * other workers or relays.
     */
    default void stalled(String part, Duration since) {}

    /** A part of the relay failed unexpectedly; it forgot what it held and reads it anew. */
    default void crashed(String part, Throwable failure) {}
}
