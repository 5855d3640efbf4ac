package dev.postrider.bench.usage;

/**
 * What a process, with its children, has used.
 *
 * @param cpuNanos since it began
 * @param memoryKilobytes what it has now; 0 where the system does not tell
 */
record Reading(long cpuNanos, long memoryKilobytes) {}
