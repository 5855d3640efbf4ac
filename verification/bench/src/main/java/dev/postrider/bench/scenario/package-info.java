/** What is measured. {@link dev.postrider.bench.scenario.Scenarios} lists them all. */
@NullMarked
package dev.postrider.bench.scenario;

import org.jspecify.annotations.NullMarked;
