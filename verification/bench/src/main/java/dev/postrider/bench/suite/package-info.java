/** Runs scenarios one after another, each on each database; {@link dev.postrider.bench.suite.Suite} is where to start. */
@Internal
@NullMarked
package dev.postrider.bench.suite;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
