package dev.postrider.prove.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the evidence says of each promise.
 *
 * @param lost committed, neither delivered nor in the outbox any more
 * @param phantoms delivered, though no transaction with them ever committed
 * @param outOfOrder first deliveries that came after a later one of their key
 * @param stuckKeys keys with a message that still waits
 */
public record Verdict(
        int committed,
        int delivered,
        List<Committed> lost,
        List<Arrival> phantoms,
        int duplicates,
        List<Arrival> outOfOrder,
        Set<String> stuckKeys) {

    public static Verdict of(Evidence evidence) {
        Set<String> known = ids(evidence.committed());
        List<Arrival> firsts = firsts(evidence.arrivals());
        Set<String> arrived = firsts.stream().map(Arrival::id).collect(Collectors.toSet());
        return new Verdict(
                evidence.committed().size(),
                (int) arrived.stream().filter(known::contains).count(),
                lost(evidence, arrived),
                firsts.stream().filter(first -> !known.contains(first.id())).toList(),
                evidence.arrivals().size() - firsts.size(),
                outOfOrder(firsts),
                stuckKeys(evidence));
    }

    /** Whether every promise held. Duplicates are allowed after a fault. */
    public boolean holds() {
        return lost.isEmpty() && phantoms.isEmpty() && outOfOrder.isEmpty() && stuckKeys.isEmpty();
    }

    private static Set<String> ids(List<Committed> messages) {
        return messages.stream().map(Committed::id).collect(Collectors.toSet());
    }

    private static List<Arrival> firsts(List<Arrival> arrivals) {
        Set<String> seen = new HashSet<>();
        return arrivals.stream().filter(arrival -> seen.add(arrival.id())).toList();
    }

    private static List<Committed> lost(Evidence evidence, Set<String> arrived) {
        return evidence.committed().stream()
                .filter(message -> !arrived.contains(message.id()))
                .filter(message -> !evidence.undelivered().contains(message.id()))
                .toList();
    }

    private static List<Arrival> outOfOrder(List<Arrival> firsts) {
        List<Arrival> found = new ArrayList<>();
        Map<String, Long> highest = new HashMap<>();
        for (Arrival first : firsts) {
            first.key().ifPresent(key -> {
                if (first.n() <= highest.getOrDefault(key, 0L)) {
                    found.add(first);
                }
                highest.merge(key, first.n(), Math::max);
            });
        }
        return found;
    }

    private static Set<String> stuckKeys(Evidence evidence) {
        return evidence.committed().stream()
                .filter(message -> evidence.undelivered().contains(message.id()))
                .map(Committed::keyOrId)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
