/**
 * Measures how fast the relay is, always as a ratio to something else in the same run.
 *
 * <p>Start reading at {@link dev.postrider.benchmarks.Benchmarks}: one subcommand for each {@link
 * dev.postrider.benchmarks.Scenario}. A {@link dev.postrider.benchmarks.BenchOutbox} is an outbox on a real server; it is drained
 * by a relay ({@link dev.postrider.benchmarks.RelayDrain}) or by a loop that one would write by hand ({@link
 * dev.postrider.benchmarks.JdbcLoop}). Results are JSON lines on standard output.
 */
@NullMarked
package dev.postrider.benchmarks;

import org.jspecify.annotations.NullMarked;
