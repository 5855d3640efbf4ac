package dev.postrider.prove.check;

import java.util.List;
import java.util.Set;

/**
 * All that a verdict rests on.
 *
 * @param arrivals in the broker's order, as far as it keeps one: for each key that of one partition, queue or stream
 * @param undelivered the ids of messages that still lie in a table of the outbox after everybody had time to deliver them
 */
public record Evidence(List<Committed> committed, List<Arrival> arrivals, Set<String> undelivered) {}
