package dev.postrider.relay;

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
    public void fetched(int rows, Duration took) {
        tell(listener -> listener.fetched(rows, took));
    }

    @Override
    public void delivered(String destination, OutboxMessage message, int attempt, Duration delay, Duration took) {
        tell(listener -> listener.delivered(destination, message, attempt, delay, took));
    }

    @Override
    public void failed(
            String destination, OutboxMessage message, int attempt, DeliveryResult.Failed failure, Duration took) {
        tell(listener -> listener.failed(destination, message, attempt, failure, took));
    }

    @Override
    public void held(OutboxMessage message, int attempts, Duration delay) {
        tell(listener -> listener.held(message, attempts, delay));
    }

    @Override
    public void dead(OutboxMessage message, DeadReason reason, int attempts, String error) {
        tell(listener -> listener.dead(message, reason, attempts, error));
    }

    @Override
    public void unreadable(String messageId, String reason) {
        tell(listener -> listener.unreadable(messageId, reason));
    }

    @Override
    public void settled(int rows, Duration took) {
        tell(listener -> listener.settled(rows, took));
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
    public void paused(String destination) {
        tell(listener -> listener.paused(destination));
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
    public void laneLost(int lane) {
        tell(listener -> listener.laneLost(lane));
    }

    @Override
    public void overdue(String destination, OutboxMessage message, Duration since) {
        tell(listener -> listener.overdue(destination, message, since));
    }

    @Override
    public void storeFailed(String operation, RuntimeException failure) {
        tell(listener -> listener.storeFailed(operation, failure));
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
    public void crashed(String part, Throwable failure) {
        tell(listener -> listener.crashed(part, failure));
    }
}
