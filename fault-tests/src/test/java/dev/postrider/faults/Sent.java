package dev.postrider.faults;

/**
 * A message that a committed transaction enqueued.
 *
 * @param key empty for a message without key
 * @param n counts the messages of its key, in the order in which their transactions held the lock of the key
 */
record Sent(String id, String topic, String key, long n) {}
