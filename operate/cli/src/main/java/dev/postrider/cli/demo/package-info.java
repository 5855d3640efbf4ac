/**
 * A day in the life of an outbox, on embedded parts: an order service writes, relays deliver, faults happen, and a checker
 * compares what was committed with what arrived.
 *
 * <p>Start at {@link dev.postrider.cli.demo.Demo}; the judgement is {@link dev.postrider.cli.demo.DeliveryCheck}.
 */
@Internal
@NullMarked
package dev.postrider.cli.demo;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
