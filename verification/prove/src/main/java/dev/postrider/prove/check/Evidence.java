package dev.postrider.prove.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that a verdict rests on.
 *
 * @param arrivals in the broker's order, as far as it keeps one: for each key that of one partition, queue or stream
 * @param undelivered the ids of messages that still lie in a table of the outbox after everybody had time to deliver them
 */
public record Evidence(List<Committed> committed, List<Arrival> arrivals, Set<String> undelivered) {

    /** The same where no order was promised: each message counts for itself. */
    public Evidence withoutOrder() {
        return new Evidence(
                committed,
                arrivals.stream()
                        .map(arrival -> new Arrival(arrival.id(), Optional.empty(), arrival.n()))
                        .toList(),
                undelivered);
    }

    /** The same without dead letters that never arrived: an operator sees them, so they are not lost. */
    public Evidence withoutDead(Set<String> dead) {
        Set<String> arrived = arrivals.stream().map(Arrival::id).collect(Collectors.toSet());
        return new Evidence(
                committed.stream()
                        .filter(message -> arrived.contains(message.id()) || !dead.contains(message.id()))
                        .toList(),
                arrivals,
                undelivered);
    }
}
