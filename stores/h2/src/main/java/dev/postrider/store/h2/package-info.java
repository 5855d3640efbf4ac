/**
 * The outbox in H2: for tests, demos and small embedded uses.
 *
 * <p>Start reading at {@link dev.postrider.store.h2.H2OutboxStore}, which builds the store; everything else is
 * package-private. Works with memory, file and server databases in H2's regular mode.
 */
@NullMarked
package dev.postrider.store.h2;

import org.jspecify.annotations.NullMarked;
