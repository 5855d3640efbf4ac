package dev.postrider.faults;

/**
 * A message as it reached the broker.
 *
 * @param relay the name of the relay process that sent it
 * @param key empty for a message without key
 * @param at monotonic nanoseconds
 */
record Delivery(String relay, String id, String topic, String key, long n, long at) {}
