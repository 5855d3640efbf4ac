package dev.postrider.spi.internal;

import dev.postrider.message.OutboxMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message that a receiver has and is not done with, through all its attempts. What changes is guarded by the lock of its
 * {@link DeliveryQueue}.
 *
 * @param <T> the message as the client of the broker knows it
 */
public final class Received<T> {

    enum State {
        /** For its turn, for room, or for the end of its pause. */
        WAITING,
        HANDED_OVER,
        /** The handler has ended; the broker is being told, or another place is being given the message. */
        SETTLED,
        DONE
    }

    private final T source;
    private final @Nullable ReceivedEvent event;
    final Optional<?> key;
    State state = State.WAITING;
    boolean isPaused;
    boolean isHandled;
    int attempts;

    Received(T source, @Nullable ReceivedEvent event, Optional<?> key, int attempts) {
        this.source = source;
        this.event = event;
        this.key = key;
        this.attempts = attempts;
    }

    public T source() {
        return source;
    }

    /** How often it was handed over, as well as the broker can tell. */
    public int attempts() {
        return attempts;
    }

    public OutboxMessage message() {
        return event().message();
    }

    boolean isReadable() {
        return event != null;
    }

    ReceivedEvent event() {
        if (event == null) {
            throw new IllegalStateException("It could not be read");
        }
        return event;
    }

    /** For people. */
    @Override
    public String toString() {
        return event == null ? source.toString() : event.message().toString();
    }
}
