/**
 * What the processes of a benchmark use: {@link dev.postrider.bench.usage.UsageMonitor} samples this process, the database and the
 * broker all the while, and answers for any span of time.
 */
@Internal
@NullMarked
package dev.postrider.bench.usage;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
