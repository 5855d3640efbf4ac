package dev.postrider.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Says where events of a class go. They are written to the outbox by {@link SpringOutbox#publish}, and also when they are published by
 * Spring's {@code ApplicationEventPublisher}: at once, in the transaction of the publisher.
 *
 * <p>{@link #topic}, {@link #key} and {@link #subject} are texts with expressions in <code>#{…}</code>, whose root is the event, and with
 * placeholders in <code>${…}</code>. The annotation may stand on a class, on a parent or interface of it, or on an annotation of your own.
 *
 * <pre>{@code
 * @OutboxEvent(topic = "orders", key = "#{id}")
 * record OrderPlaced(String id) {}
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Reflective(EventHints.class)
public @interface OutboxEvent {

    /** Where the event goes at the broker. Default: the part of the type before its last dot. */
    String topic() default "";

    /** The entity that the event belongs to; events of one key are delivered in order. Default: none, and then no order is kept. */
    String key() default "";

    /** The CloudEvents subject: what the event is about. Default: none. */
    String subject() default "";

    /** The CloudEvents type, such as {@code com.example.OrderPlaced}. Default: the full name of the class. */
    String type() default "";

    /** The name or qualifier of the {@link SpringOutbox} bean that takes published events, where there are several. Default: the primary one. */
    String outbox() default "";
}
