/**
 * Postrider in an application of Spring: messages and events go into the outbox in the current transaction, events arrive at annotated
 * methods.
 *
 * <p>Start reading at {@link dev.postrider.spring.SpringOutbox}; {@link dev.postrider.spring.EnablePostrider} switches the annotations on.
 */
@NullMarked
package dev.postrider.spring;

import org.jspecify.annotations.NullMarked;
