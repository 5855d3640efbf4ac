package dev.postrider.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a bean that handles events from a broker.
 *
 * <p>The method has the event as its parameter, and may have a {@link dev.postrider.bus.EventContext} behind it. By default it runs in a
 * transaction that also records the event in the {@link SpringInbox}, so that its effect on the database happens once. What it throws counts as
 * with any {@link dev.postrider.bus.EventHandler}: the transaction is rolled back, and the event is retried or parked. A method with a
 * parameter of type {@link dev.postrider.message.OutboxMessage} handles all events that have no other handler. May be used on an annotation
 * of your own.
 *
 * <pre>{@code
 * @EventHandler(subscriber = "billing")
 * void bill(OrderPlaced order) { … }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Reflective(EventHints.class)
public @interface EventHandler {

    /** Who handles the event. Subscribers of one name, in any number of processes, share the events between them. */
    String subscriber();

    /**
     * The CloudEvents type. Default: the type that the {@link OutboxEvent} of the parameter's class says, otherwise the full name of the
     * class.
     */
    String type() default "";

    /**
     * Whether the method runs in one transaction with the inbox. If false, it runs in no transaction, and again for each duplicate.
     * Default: true.
     */
    boolean once() default true;

    /** The name of the {@link SpringInbox} bean, where there are several. Default: the primary one. */
    String inbox() default "";
}
