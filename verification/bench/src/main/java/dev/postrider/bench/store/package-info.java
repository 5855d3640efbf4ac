/**
 * Outboxes to be measured, and what drains them: a relay ({@link dev.postrider.bench.store.RelayDrain}), or the loop that one would
 * write by hand ({@link dev.postrider.bench.store.LoopDrain}).
 */
@Internal
@NullMarked
package dev.postrider.bench.store;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
