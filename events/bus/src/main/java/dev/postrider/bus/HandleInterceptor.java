package dev.postrider.bus;

/**
 * Stands around every handling of an event.
 *
 * <p>Interceptors are called in the order in which they were given, the first outermost; inside of the last one is the handler. The data
 * are decoded before the first one: what cannot be decoded is parked and never gets here. What an interceptor throws counts as if the
 * handler had thrown it; one that returns without going on has handled the event. It may go on several times: each call of {@code next}
 * runs the same rest of the chain. Thread-safe.
 */
@FunctionalInterface
public interface HandleInterceptor {

    /** @param event the decoded data */
    void intercept(Object event, EventContext context, Next next) throws Exception;

    /** The rest of the chain. */
    @FunctionalInterface
    interface Next {
        void proceed() throws Exception;
    }
}
