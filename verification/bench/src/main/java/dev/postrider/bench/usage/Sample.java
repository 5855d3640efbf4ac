package dev.postrider.bench.usage;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * One look at all processes.
 *
 * @param at by {@link System#nanoTime()}
 * @param readings by role, such as {@code database}
 * @param counts what grows all the time, by name
 * @param levels what rises and falls, by name
 */
record Sample(long at, Map<String, Reading> readings, Map<String, Double> counts, Map<String, Double> levels) {

    Reading reading(String role) {
        return requireNonNull(readings.get(role));
    }
}
