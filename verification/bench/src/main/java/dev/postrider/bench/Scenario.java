package dev.postrider.bench;

import dev.postrider.bench.measure.Measurement;
import dev.postrider.service.database.DatabaseKind;
import java.time.Duration;
import java.util.List;

/**
 * One thing to measure. Found by {@link java.util.ServiceLoader}, so that a jar beside the command line can bring more. One
 * instance runs on one thread, possibly several times.
 */
public interface Scenario {

    Summary summary();

    /**
     * What is known of a scenario before it runs.
     *
     * @param name as on the command line: {@code drain}
     * @param description one sentence for people: what is measured against what
     * @param size how much it does when nothing else is said
     * @param quickSize how much it does at most when little time is to be spent; it ends when {@link #quickTime()} is used up
     */
    record Summary(String name, String description, Size size, Size quickSize) {}

    default String name() {
        return summary().name();
    }

    /** How long it may take when little time is to be spent. What is made before and removed afterwards comes on top: 45 seconds are the limit for all. */
    default Duration quickTime() {
        return Duration.ofSeconds(36);
    }

    /** Whether it makes sense on such a database. */
    default boolean runsOn(DatabaseKind kind) {
        return true;
    }

    /** The names of the brokers that it can send to, such as {@code kafka}; the first is the default. Empty if it needs no broker. */
    default List<String> brokers() {
        return List.of();
    }

    /**
     * Measures, and checks that every message arrived.
     *
     * @throws Exception if something failed or a message is missing; nothing is recorded then
     */
    List<Measurement> run(BenchContext context) throws Exception;
}
