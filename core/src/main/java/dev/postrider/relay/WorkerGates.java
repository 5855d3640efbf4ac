package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.HeldMessages.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One worker's side of all destinations, with the rule that leads a message to one of them. */
final class WorkerGates {

    private final DestinationRouter router;
    private final RelayOptions options;
    private final Map<Destination, WorkerGate> gates = new IdentityHashMap<>();

    /** In the order of the router, so that the same history is the same every time. */
    private final List<WorkerGate> all = new ArrayList<>();

    WorkerGates(DestinationRouter router, Collection<DestinationGate> shared, RelayOptions options) {
        this.router = router;
        this.options = options;
        for (DestinationGate gate : shared) {
            WorkerGate own = new WorkerGate(gate, options);
            gates.put(gate.destination(), own);
            all.add(own);
        }
    }

    Collection<WorkerGate> all() {
        return all;
    }

    /** Where the message goes; one that leads nowhere is given up, since trying again would not help. */
    WorkerGate gateFor(OutboxMessage message) throws UnroutableException {
        WorkerGate gate;
        try {
            gate = gates.get(router.route(message));
        } catch (RuntimeException failure) {
            throw new UnroutableException("The router failed: " + failure);
        }
        if (gate == null) {
            throw new UnroutableException("The router chose a destination that it does not list");
        }
        gate.learnTopic(message.topic());
        return gate;
    }

    /** No destination could be found for a message. */
    static final class UnroutableException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String reason;

        UnroutableException(String reason) {
            super(reason);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    boolean allClosed() {
        return all.stream().allMatch(WorkerGate::isClosed);
    }

    int inFlight() {
        return all.stream().mapToInt(WorkerGate::inFlight).sum();
    }

    /** How many rows may be in memory, those of closed and slow destinations not counted. */
    int maxRows() {
        int inFlight = all.stream()
                .filter(gate -> !gate.isClosed())
                .mapToInt(WorkerGate::maxInFlight)
                .max()
                .orElse(0);
        return Math.max(options.maxRowsPerWorker(), options.maxRowsWith(inFlight));
    }

    /** The names of closed destinations. */
    Set<String> closedNames() {
        return all.stream()
                .filter(WorkerGate::isClosed)
                .map(gate -> gate.shared.name())
                .collect(Collectors.toSet());
    }

    /** Places that nothing may be sent to now. */
    Set<Place> closedPlaces() {
        return all.stream()
                .flatMap(gate -> gate.shared.places().closed().stream())
                .collect(Collectors.toSet());
    }

    /** How long until the next place is to be tried again. */
    Optional<Duration> nextTrialIn() {
        return all.stream()
                .flatMap(gate -> gate.shared.places().nextTrialIn().stream())
                .min(Long::compare)
                .map(nanos -> Duration.ofNanos(Math.max(0, nanos)));
    }

    /** Grows each time a place is available again. */
    long recoveries() {
        return all.stream().mapToLong(gate -> gate.shared.places().recoveries()).sum();
    }

    /** The names of all destinations. */
    Set<String> names() {
        return all.stream().map(gate -> gate.shared.name()).collect(Collectors.toSet());
    }

    /** Topics that lead to closed destinations only. */
    Set<String> closedTopics() {
        if (!router.isDecidedByTopic()) {
            return Set.of();
        }
        Set<String> closed = new HashSet<>();
        Set<String> open = new HashSet<>();
        for (WorkerGate gate : all) {
            (gate.isClosed() ? closed : open).addAll(gate.topics());
        }
        if (!closed.isEmpty()) {
            closed.removeAll(open);
        }
        return closed;
    }
}
