package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** One worker's side of all destinations, with the rule that leads a message to one of them. */
final class WorkerGates {

    private final DestinationRouter router;
    private final Map<Destination, WorkerGate> gates = new IdentityHashMap<>();

    WorkerGates(DestinationRouter router, Collection<DestinationGate> shared, RelayOptions options) {
        this.router = router;
        shared.forEach(gate -> gates.put(gate.destination(), new WorkerGate(gate, options)));
    }

    Collection<WorkerGate> all() {
        return gates.values();
    }

    WorkerGate gateFor(OutboxMessage message) {
        Destination destination = router.route(message);
        WorkerGate gate = gates.get(destination);
        if (gate == null) {
            throw new IllegalStateException("The router chose a destination that it does not list: " + destination
                    + "; list it in destinations()");
        }
        return gate;
    }

    boolean allClosed() {
        return gates.values().stream().allMatch(gate -> gate.gate.isClosed());
    }

    int inFlight() {
        return gates.values().stream().mapToInt(WorkerGate::inFlight).sum();
    }

    /** Topics that lead to closed destinations only. */
    Set<String> closedTopics() {
        Set<String> closed = new HashSet<>();
        Set<String> open = new HashSet<>();
        for (WorkerGate gate : gates.values()) {
            (gate.gate.isClosed() ? closed : open).addAll(gate.topics());
        }
        if (!closed.isEmpty()) {
            closed.removeAll(open);
        }
        return closed;
    }
}
