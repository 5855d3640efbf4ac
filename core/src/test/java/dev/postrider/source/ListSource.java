package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A source over a list, which remembers what is done to it and fails when told to. */
final class ListSource implements MessageSource<ListSource.Event> {

    /** What this source holds: the sequence counts within the key. */
    record Event(String name, String key, long sequence) {

        MessageId id() {
            return MessageId.of(name);
        }

        OutboxMessage toMessage() {
            OutboxMessage.Builder message = OutboxMessage.builder(name.startsWith("mail") ? "mails" : "events")
                    .type(name);
            Optional.of(key).filter(text -> !text.isEmpty()).ifPresent(message::key);
            return message.build();
        }
    }

    final List<Event> acknowledged = new ArrayList<>();
    final List<String> givenUp = new ArrayList<>();
    final List<Integer> limits = new ArrayList<>();
    boolean hasSequence = true;
    Function<Event, OutboxMessage> toMessage = Event::toMessage;
    Optional<Instant> createdAt = Optional.empty();
    boolean movesAway;
    boolean failsToFetch;
    boolean failsToAcknowledge;
    boolean failsToGiveUp;
    int fetchesAfterFailure;

    /** What happens in a transaction that deletes items and is rolled back: nobody else sees them meanwhile. */
    Runnable beforeRollback = () -> {};

    private final List<Event> events = new ArrayList<>();

    synchronized void add(Event... more) {
        events.addAll(Arrays.asList(more));
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    @Override
    public synchronized List<Event> fetch(int limit) throws IOException {
        if (failsToFetch) {
            fetchesAfterFailure++;
            throw new IOException("disk gone");
        }
        limits.add(limit);
        return new ArrayList<>(events.subList(0, Math.min(limit, events.size())));
    }

    @Override
    public MessageId id(Event item) {
        return item.id();
    }

    @Override
    public OutboxMessage toMessage(Event item) {
        return toMessage.apply(item);
    }

    @Override
    public long sequence(Event item) {
        return hasSequence ? item.sequence() : 0;
    }

    @Override
    public Optional<Instant> createdAt(Event item) {
        return createdAt;
    }

    @Override
    public synchronized void acknowledge(List<Event> items) throws IOException {
        if (failsToAcknowledge) {
            List<Event> before = List.copyOf(events);
            events.removeAll(items);
            beforeRollback.run();
            events.clear();
            events.addAll(before);
            throw new IOException("read-only disk");
        }
        events.removeAll(items);
        acknowledged.addAll(items);
    }

    @Override
    public synchronized void giveUp(Event item, DeadReason reason, String error) throws IOException {
        if (failsToGiveUp) {
            throw new IOException("no dead table");
        }
        givenUp.add(item.name() + " " + reason + " " + error);
        if (movesAway) {
            events.remove(item);
        }
    }
}
