package dev.postrider.store.existing;

import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What scan and settlements of one store share.
 *
 * @param fullLookInterval how often partitions beyond the window are looked at; zero without window
 * @param ordering what order the relay keeps, as it said when it took the lane
 */
record StoreParts(
        Rows rows,
        Claims claims,
        TakenRows taken,
        FailureMemory failures,
        Duration fullLookInterval,
        AtomicReference<Ordering> ordering) {}
