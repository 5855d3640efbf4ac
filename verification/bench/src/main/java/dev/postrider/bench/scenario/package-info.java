/** What is measured. {@link dev.postrider.bench.scenario.Scenarios} lists them all. */
@Internal
@NullMarked
package dev.postrider.bench.scenario;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
