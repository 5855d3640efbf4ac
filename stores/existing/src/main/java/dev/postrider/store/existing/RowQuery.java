package dev.postrider.store.existing;

import dev.postrider.spi.Ordering;
import java.util.Collection;
import java.util.Set;

/**
 * Which rows to look for, the oldest first.
 *
 * @param ordering what order is kept: behind a row that waits for its retry, nothing of its key (or nothing at all) is found
 * @param skipped rows to pass over
 * @param skippedKeys keys of messages to pass over
 * @param reach how far back to look
 */
record RowQuery(
        int limit,
        Set<String> excludedTopics,
        Ordering ordering,
        Collection<RowKey> skipped,
        Set<String> skippedKeys,
        Reach reach) {

    /** How far back to look, where old partitions are left out for most of the time. */
    enum Reach {
        ALL,
        WINDOW,
        BEYOND_WINDOW
    }
}
