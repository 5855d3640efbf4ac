package dev.postrider.bus;

/**
 * What a service does about an event.
 *
 * <p>Returning means that it is done. Throwing {@link UnprocessableEventException}, or anything caused by one, means that it never can be:
 * the event is parked. Anything else that is thrown means: try again later. An event may arrive more than once; the inbox makes its
 * effects happen once. Events of one key come one at a time, others in parallel.
 *
 * @param <T> the data of the event
 */
@FunctionalInterface
public interface EventHandler<T> {

    void handle(T event, EventContext context) throws Exception;
}
