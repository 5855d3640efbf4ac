package dev.postrider.store.mysql;

import java.time.Duration;

/**
 * What the server says about waits for row locks, on any table.
 *
 * @param current how many sessions wait now
 * @param timeout after which a wait ends, unless the session has set its own
 */
record RowLockWaits(long current, Duration timeout) {}
