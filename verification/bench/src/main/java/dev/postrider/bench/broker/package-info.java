/** Brokers to deliver to, by a destination or by their own client alone. {@link dev.postrider.bench.broker.BenchBroker} opens one. */
@NullMarked
package dev.postrider.bench.broker;

import org.jspecify.annotations.NullMarked;
