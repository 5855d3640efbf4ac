package dev.postrider.spi;

import java.time.Duration;

/**
 * Told of what receivers do: for metrics and alarms.
 *
 * <p>Called on the threads of receivers and of handlers, so it must return quickly. Whatever it throws is logged and otherwise ignored.
 * Methods may be called from several threads at once; one listener may serve any number of receivers.
 */
public interface ReceiverListener {

    /** Does nothing. */
    ReceiverListener NONE = new ReceiverListener() {};

    /** A message was handed over, for its first attempt or a later one. */
    default void received(String receiver) {}

    /** A message was acknowledged; {@code took} is the time since it was handed over, with waiting for a thread. */
    default void handled(String receiver, Duration took) {}

    /** An attempt failed. {@link #retried} or {@link #parked} follows. */
    default void failed(String receiver, Duration took) {}

    /** A message that failed will arrive again. */
    default void retried(String receiver) {}

    /** A message was given up on, or could not be read at all, and goes where such messages are kept. */
    default void parked(String receiver) {}
}
