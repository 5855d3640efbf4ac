/**
 * What adapter authors implement: the store that keeps messages, the destination that takes them, the receiver that hands them on.
 *
 * <p>The relay engine, maintenance and the event bus are the only callers. A store starts at
 * {@link dev.postrider.spi.OutboxStore}, a broker at {@link dev.postrider.spi.Destination} and {@link dev.postrider.spi.Receiver}; the
 * testkit holds one contract suite for each.
 */
@NullMarked
package dev.postrider.spi;

import org.jspecify.annotations.NullMarked;
