package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;

/**
 * Stands around every publishing of an event.
 *
 * <p>Interceptors are called in the order in which they were given, the first outermost; inside of the last one the event is encoded and
 * sent. One may hand on a changed publication, not go on at all, or go on several times: each call of {@code next} runs the same rest of
 * the chain. Thread-safe.
 */
@FunctionalInterface
public interface PublishInterceptor {

    OutboxMessage intercept(Publication publication, Next next);

    /** The rest of the chain. */
    @FunctionalInterface
    interface Next {

        /** Encodes and sends; returns the message that was sent. */
        OutboxMessage proceed(Publication publication);
    }
}
