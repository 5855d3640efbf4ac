/**
 * Measures outbox and relay on real servers, always as a ratio to something else in the same run.
 *
 * <p>A {@link dev.postrider.bench.Scenario} measures one thing with what its {@link dev.postrider.bench.BenchContext} gives it; most
 * let two subjects take turns in a {@link dev.postrider.bench.Contest}. Further scenarios are found by {@link
 * java.util.ServiceLoader}.
 */
@Internal
@NullMarked
package dev.postrider.bench;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
