package dev.postrider.faults;

import dev.postrider.prove.check.Arrival;
import dev.postrider.prove.check.Evidence;
import dev.postrider.prove.check.Verdict;
import dev.postrider.prove.write.LedgerEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares what was committed with what arrived, by the rules of {@code postrider prove}.
 *
 * @param delivered in the order of arrival
 * @param dead ids of messages that are dead letters now: they are missed by nobody
 * @param retried ids of messages that were dead letters once: their order is not promised
 */
record Comparison(List<LedgerEntry> committed, List<Delivery> delivered, Set<String> dead, Set<String> retried) {

    Verdict verdict() {
        Evidence evidence = new Evidence(
                committed.stream().map(LedgerEntry::toCommitted).toList(),
                delivered.stream().map(this::arrival).toList(),
                Set.of());
        return Verdict.of(evidence.withoutDead(dead));
    }

    /** Order is promised per key and destination; each topic has one destination here. */
    private Arrival arrival(Delivery delivery) {
        boolean hasOrder = !delivery.key().isEmpty() && !retried.contains(delivery.id());
        String line = delivery.topic() + "/" + delivery.key();
        return new Arrival(delivery.id(), hasOrder ? Optional.of(line) : Optional.empty(), delivery.n());
    }

    /** Deliveries of messages that had arrived before. */
    List<Delivery> duplicates() {
        Set<String> seen = new HashSet<>();
        return delivered.stream().filter(delivery -> !seen.add(delivery.id())).toList();
    }
}
