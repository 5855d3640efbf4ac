/**
 * What the processes of a benchmark use: {@link dev.postrider.bench.usage.UsageMonitor} samples this process, the database and the
 * broker all the while, and answers for any span of time.
 */
@NullMarked
package dev.postrider.bench.usage;

import org.jspecify.annotations.NullMarked;
