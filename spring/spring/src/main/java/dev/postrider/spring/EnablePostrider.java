package dev.postrider.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches on {@link OutboxEvent} and {@link EventHandler}, and lets {@link SpringOutbox} see when a transaction has committed. For a
 * configuration class; Postrider's starter for Spring Boot does the same by itself.
 *
 * <p>The application defines a {@link SpringOutbox}, and for handlers a {@link SubscriberFactory} and a {@link SpringInbox}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(PostriderConfiguration.class)
public @interface EnablePostrider {}
