package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;

/**
 * A message as a subscriber saw it.
 *
 * @param arrivedAt in monotonic nanoseconds
 */
record Arrival(MessageId id, long arrivedAt) {}
