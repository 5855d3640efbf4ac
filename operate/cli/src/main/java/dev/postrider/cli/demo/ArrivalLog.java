package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A subscriber that writes down everything it sees. Thread-safe. */
final class ArrivalLog implements Consumer<OutboxMessage> {

    private final List<Arrival> arrivals = new ArrayList<>();
    private final Set<MessageId> distinct = new HashSet<>();

    @Override
    public synchronized void accept(OutboxMessage message) {
        arrivals.add(new Arrival(message.id(), System.nanoTime()));
        distinct.add(message.id());
    }

    synchronized List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    /** How many different messages have arrived. */
    synchronized int distinctCount() {
        return distinct.size();
    }
}
