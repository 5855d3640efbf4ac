package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.MessageId;
import dev.postrider.source.Tracked.Standing;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a source from its head each time, passes over what is known, and returns failed items when they are due.
 *
 * <p>Asks for as many items more as are known already, and for twice as many when it finds nothing new, so that failing items
 * at the head never hide those behind them, up to the look-ahead.
 */
final class SourceScan<T> implements LaneScan {

    private final SourceCalls<T> source;
    private final ItemReader<T> reader;
    private final SourceMemory<T> memory;
    private final SourceSettlements<T> settlements;
    private final int lookAhead;
    private final Ordering ordering;

    /** How many items waited for a closed destination at the last look: a guess at how many there are now. */
    private volatile int passedOver;

    SourceScan(
            SourceCalls<T> source,
            ItemReader<T> reader,
            SourceMemory<T> memory,
            SourceSettlements<T> settlements,
            int lookAhead,
            Ordering ordering) {
        this.source = source;
        this.reader = reader;
        this.memory = memory;
        this.settlements = settlements;
        this.lookAhead = lookAhead;
        this.ordering = ordering;
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        if (!request.lanes().contains(Tracked.LANE)) {
            return new Fetched(List.of(), false, false, memory.now());
        }
        memory.takeBackExcept(request.known());
        List<Tracked<T>> found = List.of();
        boolean isComplete = false;
        long limit = (long) memory.size() + passedOver + request.maxRows();
        while (found.isEmpty() && !isComplete) {
            int asked = (int) Math.min(limit, lookAhead);
            List<T> values = source.fetch(asked);
            Map<MessageId, T> byId = new LinkedHashMap<>();
            values.forEach(value -> byId.putIfAbsent(reader.idOf(value), value));
            found = dueAndNew(byId, request.excludedTopics());
            isComplete = values.size() < asked || asked == lookAhead;
            settlements.tellAgain(byId.keySet());
            memory.forgetDeadExcept(byId.keySet(), values.size() < asked);
            limit = asked * 2L;
        }
        return hand(inOrderOfKeys(found), request);
    }

    private List<Tracked<T>> dueAndNew(Map<MessageId, T> values, Set<String> excludedTopics) {
        List<Tracked<T>> found = new ArrayList<>();
        boolean isStopped = addDue(found, excludedTopics);
        if (!isStopped || ordering != Ordering.GLOBAL) {
            found.addAll(newAmong(values, excludedTopics));
        }
        return found;
    }

    /** Adds what waits and may be tried. An item that may not go stops those behind it; returns whether there is one. */
    private boolean addDue(List<Tracked<T>> found, Set<String> excludedTopics) {
        synchronized (memory) {
            Set<Object> stopped = new HashSet<>();
            memory.all(Standing.WAITING)
                    .sorted(ordering == Ordering.GLOBAL ? Tracked.BY_SEQ : Tracked.BY_SEQUENCE)
                    .forEach(tracked -> {
                        Object order = tracked.orderOf(ordering);
                        if (!tracked.isDue(memory.nanos()) || excludedTopics.contains(tracked.topic())) {
                            stopped.add(order);
                        } else if (!stopped.contains(order)) {
                            found.add(tracked);
                        }
                    });
            return !stopped.isEmpty();
        }
    }

    private List<Tracked<T>> newAmong(Map<MessageId, T> values, Set<String> excludedTopics) {
        List<Tracked<T>> found = new ArrayList<>();
        values.forEach((id, value) -> {
            if (!memory.knows(id)) {
                found.add(reader.read(value, id, memory.now()));
            }
        });
        int all = found.size();
        found.removeIf(tracked -> excludedTopics.contains(tracked.topic()));
        passedOver = all - found.size();
        return found;
    }

    /** Puts the items of each key into the order of their sequence, and leaves the places of keys as they came. */
    private List<Tracked<T>> inOrderOfKeys(List<Tracked<T>> found) {
        if (reader.sequence().isEmpty()) {
            return found;
        }
        Map<Optional<String>, Queue<Tracked<T>>> byKey = new HashMap<>();
        found.stream()
                .sorted(Comparator.comparingLong(tracked -> tracked.sequence))
                .forEach(tracked -> byKey.computeIfAbsent(tracked.key(), key -> new ArrayDeque<>())
                        .add(tracked));
        return found.stream()
                .map(tracked -> requireNonNull(byKey.get(tracked.key())).remove())
                .toList();
    }

    private Fetched hand(List<Tracked<T>> found, FetchRequest request) {
        synchronized (memory) {
            Set<String> heldKeys = keysThatWait(found);
            List<OutboxRow> rows = new ArrayList<>();
            long bytes = 0;
            for (Tracked<T> tracked : found) {
                bytes += tracked.message.payload().length;
                if (rows.size() >= request.maxRows() || (!rows.isEmpty() && bytes > request.maxBytes())) {
                    return new Fetched(rows, true, false, memory.now());
                }
                memory.hand(tracked);
                rows.add(tracked.row(stateOf(tracked, heldKeys)));
            }
            return new Fetched(rows, false, false, memory.now());
        }
    }

    private Set<String> keysThatWait(List<Tracked<T>> except) {
        Set<Tracked<T>> going = new HashSet<>(except);
        return memory.all(Standing.WAITING)
                .filter(tracked -> !going.contains(tracked))
                .flatMap(tracked -> tracked.key().stream())
                .collect(Collectors.toSet());
    }

    /** An item that comes back is the first that waits in its line; of others the relay knows where they lead. */
    private KeyState stateOf(Tracked<T> tracked, Set<String> heldKeys) {
        boolean isHeld = tracked.line().isEmpty()
                && tracked.key().filter(heldKeys::contains).isPresent();
        return isHeld ? KeyState.HELD : KeyState.FREE;
    }

    /** Nothing to prove: every fetch reads from the head. */
    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return new long[0];
    }
}
