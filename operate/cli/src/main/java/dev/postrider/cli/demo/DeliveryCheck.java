package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what was committed with what a subscriber saw.
 *
 * <p>Trusts neither engine nor store: order is judged by the numbers that the order's own row gave, and only by first
 * deliveries, since a duplicate of an earlier event may come at any time.
 */
final class DeliveryCheck {

    private final Map<MessageId, CommittedEvent> missing = new LinkedHashMap<>();
    private final Map<MessageId, CommittedEvent> committed = new HashMap<>();
    private final Map<String, Long> highestPositions = new HashMap<>();
    private final List<Duration> delays = new ArrayList<>();
    private long duplicates;
    private long outOfOrder;
    private long neverCommitted;

    private DeliveryCheck(Collection<CommittedEvent> events) {
        events.forEach(event -> committed.put(event.id(), event));
        missing.putAll(committed);
    }

    /**
     * Counts.
     *
     * @param arrivals in the order in which the subscriber saw them
     * @param deadLetters the ids of the messages that were given up
     */
    static DeliveryCount count(
            Collection<CommittedEvent> committed, List<Arrival> arrivals, Set<MessageId> deadLetters) {
        DeliveryCheck check = new DeliveryCheck(committed);
        arrivals.forEach(check::arrived);
        return check.result(deadLetters);
    }

    private void arrived(Arrival arrival) {
        CommittedEvent event = committed.get(arrival.id());
        if (event == null) {
            neverCommitted++;
        } else if (missing.remove(event.id()) == null) {
            duplicates++;
        } else {
            firstArrived(event, arrival);
        }
    }

    private void firstArrived(CommittedEvent event, Arrival arrival) {
        long highest = highestPositions.merge(event.key(), event.position(), Math::max);
        if (highest > event.position()) {
            outOfOrder++;
        }
        // The relay may be quicker than the writer, who notes the time only after its commit has returned.
        delays.add(Duration.ofNanos(Math.max(0, arrival.arrivedAt() - event.committedAt())));
    }

    private DeliveryCount result(Set<MessageId> deadLetters) {
        List<CommittedEvent> lost = missing.values().stream()
                .filter(event -> !deadLetters.contains(event.id()))
                .toList();
        return new DeliveryCount(
                committed.size(),
                delays.size(),
                missing.size() - lost.size(),
                duplicates,
                outOfOrder,
                neverCommitted,
                lost,
                Percentiles.of(delays));
    }
}
