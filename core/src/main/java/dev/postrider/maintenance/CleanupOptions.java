package dev.postrider.maintenance;

import java.time.Duration;
import java.util.Optional;

/** The checked options of a cleanup; {@link CleanupBuilder} documents each. */
record CleanupOptions(
        Duration retention,
        Optional<Duration> deadLetterRetention,
        Duration dedupRetention,
        Duration operationRetention,
        int limit,
        Duration pause,
        Duration checkEvery,
        Duration lease) {}
