/** Brokers to deliver to, by a destination or by their own client alone. {@link dev.postrider.bench.broker.BenchBroker} opens one. */
@Internal
@NullMarked
package dev.postrider.bench.broker;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
