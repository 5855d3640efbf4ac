package dev.postrider.benchmarks;

import java.util.List;

/** One thing to measure. */
@FunctionalInterface
interface Scenario {

    /** Runs alternating rounds on an empty outbox, and leaves it empty. */
    List<Result> run(BenchOutbox outbox, Settings settings) throws Exception;
}
