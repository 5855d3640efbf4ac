package dev.postrider.prove.write;

/**
 * A message that a transaction enqueued.
 *
 * @param key empty for a message without key
 * @param n its number among those of its key, counted under the lock of the key's row
 */
public record LedgerEntry(String id, String topic, String key, long n) {}
