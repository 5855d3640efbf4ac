/** Runs scenarios one after another, each on each database; {@link dev.postrider.bench.suite.Suite} is where to start. */
@NullMarked
package dev.postrider.bench.suite;

import org.jspecify.annotations.NullMarked;
