package dev.postrider.cli.demo;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.broker.Content;
import dev.postrider.prove.check.Arrival;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A subscriber that writes down everything it sees. Thread-safe. */
final class Arrivals implements Consumer<OutboxMessage> {

    private final List<Arrival> all = new ArrayList<>();
    private final Map<String, Long> firstTimes = new LinkedHashMap<>();

    @Override
    public synchronized void accept(OutboxMessage message) {
        Arrival arrival = Content.arrival(message.id().toString(), message.payload());
        all.add(arrival);
        firstTimes.putIfAbsent(arrival.id(), System.nanoTime());
    }

    synchronized List<Arrival> all() {
        return List.copyOf(all);
    }

    /** How many different messages have arrived. */
    synchronized int distinct() {
        return firstTimes.size();
    }

    /** From commit to first arrival, in nanoseconds. */
    synchronized long[] delays(Map<String, Long> commitTimes) {
        return firstTimes.entrySet().stream()
                .filter(arrival -> commitTimes.containsKey(arrival.getKey()))
                .mapToLong(
                        arrival -> Math.max(0, arrival.getValue() - requireNonNull(commitTimes.get(arrival.getKey()))))
                .toArray();
    }
}
