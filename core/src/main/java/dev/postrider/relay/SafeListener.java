package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes everything on to several listeners and keeps their failures away from the relay. */
final class SafeListener implements RelayListener {

    private static final Logger LOG = LoggerFactory.getLogger(SafeListener.class);

    private final List<RelayListener> listeners;

    SafeListener(List<RelayListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    private void tell(Consumer<RelayListener> event) {
        for (RelayListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | LinkageError | AssertionError failure) {
                LOG.warn(
                        "Listener {} failed; the relay goes on",
                        listener.getClass().getName(),
                        failure);
            }
        }
    }

    @Override
    public void started(Relay relay) {
        tell(listener -> listener.started(relay));
    }

    @Override
    public void closed(Relay relay) {
        tell(listener -> listener.closed(relay));
    }

    @Override
    public void fetched(int rows, Duration took) {
        tell(listener -> listener.fetched(rows, took));
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        tell(listener -> listener.delivered(attempt, delay, took));
    }

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        tell(listener -> listener.failed(attempt, failure, took));
    }

    @Override
    public void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
        tell(listener -> listener.notReached(attempt, outage, took));
    }

    @Override
    public void held(Attempt attempt, Duration delay) {
        tell(listener -> listener.held(attempt, delay));
    }

    @Override
    public void heldBehind(Attempt attempt) {
        tell(listener -> listener.heldBehind(attempt));
    }

    @Override
    public void blocked(Attempt attempt, String error) {
        tell(listener -> listener.blocked(attempt, error));
    }

    @Override
    public void dead(Attempt attempt, DeadReason reason, String error) {
        tell(listener -> listener.dead(attempt, reason, error));
    }

    @Override
    public void unroutable(int lane, OutboxMessage message, String reason) {
        tell(listener -> listener.unroutable(lane, message, reason));
    }

    @Override
    public void unreadable(int lane, MessageId id, String reason) {
        tell(listener -> listener.unreadable(lane, id, reason));
    }

    @Override
    public void settled(int rows, Duration took) {
        tell(listener -> listener.settled(rows, took));
    }

    @Override
    public void settleRefused(int lane, int rows, Duration took) {
        tell(listener -> listener.settleRefused(lane, rows, took));
    }

    @Override
    public void unavailable(String destination, String place, String reason) {
        tell(listener -> listener.unavailable(destination, place, reason));
    }

    @Override
    public void available(String destination, String place) {
        tell(listener -> listener.available(destination, place));
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        tell(listener -> listener.outage(destination, reason, retryIn));
    }

    @Override
    public void recovered(String destination) {
        tell(listener -> listener.recovered(destination));
    }

    @Override
    public void slow(String destination, int inFlight) {
        tell(listener -> listener.slow(destination, inFlight));
    }

    @Override
    public void paused(String destination) {
        tell(listener -> listener.paused(destination));
    }

    @Override
    public void resumed(String destination) {
        tell(listener -> listener.resumed(destination));
    }

    @Override
    public void laneTaken(int lane, long epoch) {
        tell(listener -> listener.laneTaken(lane, epoch));
    }

    @Override
    public void laneReleased(int lane) {
        tell(listener -> listener.laneReleased(lane));
    }

    @Override
    public void lanesBalanced(int owned, int all) {
        tell(listener -> listener.lanesBalanced(owned, all));
    }

    @Override
    public void laneLost(int lane) {
        tell(listener -> listener.laneLost(lane));
    }

    @Override
    public void overdue(Attempt attempt, Duration since) {
        tell(listener -> listener.overdue(attempt, since));
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        tell(listener -> listener.storeFailed(operation, failure, took));
    }

    @Override
    public void sweepFoundMissed(int lane, int rows) {
        tell(listener -> listener.sweepFoundMissed(lane, rows));
    }

    @Override
    public void stalled(String part, Duration since) {
        tell(listener -> listener.stalled(part, since));
    }

    @Override
    public void classifierFailed(Attempt attempt, Throwable failure) {
        tell(listener -> listener.classifierFailed(attempt, failure));
    }

    @Override
    public void crashed(String part, Throwable failure) {
        tell(listener -> listener.crashed(part, failure));
    }
}
