package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/**
 * Told of everything that happens in a relay: for metrics, logs and alarms.
 *
 * <p>Called on the threads of the relay and of its destinations, so it must return quickly. Whatever it throws is logged and
 * otherwise ignored: a listener never stops the relay. Methods may be called from several threads at once.
 *
 * <p>Events about messages tell what the relay decided. They come before the decision is recorded: after a crash or a lost
 * lease the same message may be decided on again, by this relay or another.
 */
public interface RelayListener {

    /** The relay was started. */
    default void started(Relay relay) {}

    /** The relay was closed. */
    default void closed(Relay relay) {}

    /**
     * Rows were read; {@code rows} may be 0. A read that failed is reported by {@link #storeFailed}.
     *
     * @param batch tells this read from all others of the process; the attempts of its messages have it too
     */
    default void fetched(long batch, int rows, Duration took) {}

    /** The destination acknowledged the message; {@code delay} is the time since its insert, by the database's clock. */
    default void delivered(Attempt attempt, Duration delay, Duration took) {}

    /** An attempt failed. One that failed for an outage does not count, and is reported by {@link #notReached}. */
    default void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {}

    /** The destination, or a place there, could take nothing: the attempt does not count, and the message goes out when it is back. */
    default void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {}

    /** The message will be tried again after the delay; its key waits until then. */
    default void held(Attempt attempt, Duration delay) {}

    /** The message waits behind a held one of its key; it has not been tried. */
    default void heldBehind(Attempt attempt) {}

    /** The message was given up on, and blocks its key until an operator acts. */
    default void blocked(Attempt attempt, String error) {}

    /** The message was given up on. See also {@link #unroutable} and {@link #unreadable}. */
    default void dead(Attempt attempt, DeadReason reason, String error) {}

    /** A message that no destination could be found for was given up on. */
    default void unroutable(int lane, OutboxMessage message, String reason) {}

    /** A row that cannot be read as a message was given up on. */
    default void unreadable(int lane, MessageId id, String reason) {}

    /** Outcomes were recorded. When that failed, {@link #storeFailed} is called, and they are recorded later. */
    default void settled(int rows, Duration took) {}

    /** The fence refused to record outcomes: somebody else owns the lane now. {@link #laneLost} follows. */
    default void settleRefused(int lane, int rows, Duration took) {}

    /** A destination is unreachable; it is tried again after {@code retryIn}. */
    default void outage(String destination, String reason, Duration retryIn) {}

    /** A destination took its first message after an outage or a pause. */
    default void recovered(String destination) {}

    /**
     * A place of a destination is missing, forbidden or full, though the destination is up. Messages for it wait, and their keys behind
     * them; it is tried again and again. Told once, until {@link #available}.
     *
     * @param place a topic, exchange, stream or subject, in the broker's words
     */
    default void unavailable(String destination, String place, String reason) {}

    /** A place that was unavailable took its first message. */
    default void available(String destination, String place) {}

    /**
     * A destination is up, but so slow that a worker had no room for messages to others. From now on it gets about as many at a
     * time as are in flight to it, until it is quick again.
     *
     * @param inFlight how many messages of the worker it has not acknowledged
     */
    default void slow(String destination, int inFlight) {}

    /** An operator has paused a destination. */
    default void paused(String destination) {}

    /** An operator has ended a destination's pause. */
    default void resumed(String destination) {}

    /** This relay owns the lane from now on. */
    default void laneTaken(int lane, long epoch) {}

    /** This relay released the lane. */
    default void laneReleased(int lane) {}

    /**
     * This relay has its fair share of the lanes, and owns another number of them than when it was last told. {@link #laneTaken}
     * tells of each lane.
     *
     * @param owned how many lanes this relay owns
     * @param all how many lanes the outbox has
     */
    default void lanesBalanced(int owned, int all) {}

    /** Somebody else owns the lane, or the lease could not be renewed in time. */
    default void laneLost(int lane) {}

    /** A send has not ended within the destination's delivery time-out; its key waits for it. */
    default void overdue(Attempt attempt, Duration since) {}

    /** The store failed after {@code took}; the relay goes on by itself. */
    default void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {}

    /** The sweep found committed rows that the scan had missed. They are read now; it should never happen. */
    default void sweepFoundMissed(int lane, int rows) {}

    /**
     * A part of the relay has not moved for longer than a lease: it hangs in the store or in a destination. Its lanes go to
     * other workers or relays.
     */
    default void stalled(String part, Duration since) {}

    /** The user's failure classifier failed; the destination's own judgement of the attempt stands. */
    default void classifierFailed(Attempt attempt, Throwable failure) {}

    /** A part of the relay failed unexpectedly; it forgot what it held and reads it again. */
    default void crashed(String part, Throwable failure) {}
}
