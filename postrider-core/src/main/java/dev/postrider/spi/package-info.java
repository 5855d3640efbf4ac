/**
 * What adapter authors implement: the store that keeps messages and the destination that receives them.
 *
 * <p>The relay engine and maintenance are the only callers. A store starts at {@link dev.postrider.spi.OutboxStore}, a broker at
 * {@link dev.postrider.spi.Destination}; the testkit holds one contract suite for each.
 */
@NullMarked
package dev.postrider.spi;

import org.jspecify.annotations.NullMarked;
