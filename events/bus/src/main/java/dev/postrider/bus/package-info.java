/**
 * Typed CloudEvents over any destination or the outbox, and handlers for them.
 *
 * <p>Publishing starts at {@link dev.postrider.bus.EventPublishers}, receiving at {@link dev.postrider.bus.Subscriber}. Both take a
 * {@link dev.postrider.bus.CodecRegistry} and chains of interceptors; ready-made ones are in
 * {@code dev.postrider.bus.interceptor}.
 */
@NullMarked
package dev.postrider.bus;

import org.jspecify.annotations.NullMarked;
