package dev.postrider.faults;

import dev.postrider.faults.Verdict.OutOfOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares what was committed with what arrived. */
final class Oracle {

    private final Evidence evidence;
    private final Set<String> committed;
    private final List<Delivery> firsts = new ArrayList<>();
    private final List<Delivery> duplicates = new ArrayList<>();

    private Oracle(Evidence evidence) {
        this.evidence = evidence;
        this.committed = evidence.committed().stream().map(Sent::id).collect(Collectors.toSet());
        Set<String> seen = new HashSet<>();
        evidence.delivered().forEach(delivery -> (seen.add(delivery.id()) ? firsts : duplicates).add(delivery));
    }

    static Verdict judge(Evidence evidence) {
        Oracle oracle = new Oracle(evidence);
        return new Verdict(oracle.lost(), oracle.phantoms(), oracle.duplicates, oracle.outOfOrder(), evidence.left());
    }

    private List<Sent> lost() {
        Set<String> accounted = firsts.stream().map(Delivery::id).collect(Collectors.toSet());
        accounted.addAll(evidence.dead());
        return evidence.committed().stream()
                .filter(message -> !accounted.contains(message.id()))
                .toList();
    }

    private List<Delivery> phantoms() {
        return firsts.stream()
                .filter(delivery -> !committed.contains(delivery.id()))
                .toList();
    }

    /** Order is promised per key and destination; each topic has one destination here. */
    private List<OutOfOrder> outOfOrder() {
        List<OutOfOrder> found = new ArrayList<>();
        Map<String, Delivery> last = new HashMap<>();
        for (Delivery delivery : firsts) {
            if (!delivery.key().isEmpty() && !evidence.retried().contains(delivery.id())) {
                Delivery before = last.put(delivery.topic() + "/" + delivery.key(), delivery);
                if (before != null && before.n() >= delivery.n()) {
                    found.add(new OutOfOrder(before, delivery));
                }
            }
        }
        return found;
    }
}
