package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;

/**
 * An event whose transaction has committed.
 *
 * @param key the order that it belongs to
 * @param position its place among the events of that order, as the order's own row counted them
 * @param committedAt in monotonic nanoseconds
 */
record CommittedEvent(MessageId id, String key, long position, long committedAt) {}
