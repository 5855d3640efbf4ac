package dev.postrider.spring;

/**
 * Keeps events out of the outbox that the application publishes by Spring's {@code ApplicationEventPublisher}. If there are several beans of
 * this type, all of them must accept an event. {@link SpringOutbox#publish} asks no filter. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * OutboxEventFilter withoutTests() {
 *     return event -> !(event instanceof OrderPlaced order && order.isTest());
 * }
 * }</pre>
 */
@FunctionalInterface
public interface OutboxEventFilter {

    /** Whether the event goes to the outbox. */
    boolean accepts(Object event);
}
