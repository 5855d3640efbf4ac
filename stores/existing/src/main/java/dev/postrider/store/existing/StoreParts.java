package dev.postrider.store.existing;

import java.time.Duration;

/**
 * What scan and settlements of one store share.
 *
 * @param fullLookInterval how often partitions beyond the window are looked at; zero without window
 */
record StoreParts(Rows rows, Claims claims, TakenRows taken, FailureMemory failures, Duration fullLookInterval) {}
