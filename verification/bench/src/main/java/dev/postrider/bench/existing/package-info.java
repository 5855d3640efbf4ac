/**
 * Tables that exist already, drained by Postrider and by the statements of the systems that made them. Start with
 * {@link dev.postrider.bench.existing.ExistingScenario}.
 */
@Internal
@NullMarked
package dev.postrider.bench.existing;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
