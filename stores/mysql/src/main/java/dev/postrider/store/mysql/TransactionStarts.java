package dev.postrider.store.mysql;

/**
 * What a cluster says about its open transactions, in its own timestamps.
 *
 * @param now when it was asked
 * @param oldest when the oldest open transaction began that may have drawn a number; {@code now} if there is none
 */
record TransactionStarts(long now, long oldest) {}
