package dev.postrider.bench.usage;

import java.util.Map;

/**
 * One look at all processes.
 *
 * @param at by {@link System#nanoTime()}
 * @param readings by role, such as {@code database}
 * @param heapBytes that this process used
 */
record Sample(long at, Map<String, Reading> readings, long heapBytes) {}
