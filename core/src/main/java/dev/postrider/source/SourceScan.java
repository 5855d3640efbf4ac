package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.MessageId;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Reads a source from its head each time and passes over what is known.
 *
 * <p>Asks for as many items more as are known already, and for twice as many when it finds nothing new, so that failing items
 * at the head never hide those behind them, up to the look-ahead.
 */
final class SourceScan<T> implements LaneScan {

    private final SourceCalls<T> source;
    private final ItemReader<T> reader;
    private final SourceMemory<T> memory;
    private final GiveUps<T> giveUps;
    private final int lookAhead;

    /** How many items waited for a closed destination at the last look: a guess at how many there are now. */
    private volatile int passedOver;

    SourceScan(SourceCalls<T> source, ItemReader<T> reader, SourceMemory<T> memory, GiveUps<T> giveUps, int lookAhead) {
        this.source = source;
        this.reader = reader;
        this.memory = memory;
        this.giveUps = giveUps;
        this.lookAhead = lookAhead;
    }

    @Override
    public void add(TakenLane lane) {}

    @Override
    public void remove(int lane) {}

    /** Nothing to do: every fetch starts at the head. */
    @Override
    public void restart(int lane) {}

    @Override
    public Fetched fetch(FetchRequest request) {
        if (!request.lanes().contains(Tracked.LANE)) {
            return new Fetched(List.of(), false, false, memory.now());
        }
        memory.forgetHotExcept(request.known());
        List<Item<T>> found = List.of();
        boolean isComplete = false;
        long limit = (long) memory.size() + passedOver + request.maxRows();
        while (found.isEmpty() && !isComplete) {
            int asked = (int) Math.min(limit, lookAhead);
            List<T> values = source.fetch(asked);
            found = newAmong(values, request);
            isComplete = values.size() < asked || asked == lookAhead;
            lookAfterDead(values, values.size() < asked);
            limit = asked * 2L;
        }
        return hand(inOrderOfKeys(found), request);
    }

    private List<Item<T>> newAmong(List<T> values, FetchRequest request) {
        List<Item<T>> found = new ArrayList<>();
        Set<MessageId> seen = new HashSet<>();
        int excluded = 0;
        for (T value : values) {
            MessageId id = reader.idOf(value);
            if (seen.add(id) && memory.find(id).isEmpty()) {
                Item<T> item = reader.read(value, id, memory.now());
                if (request.excludedTopics().contains(item.message().topic())) {
                    excluded++;
                } else {
                    found.add(item);
                }
            }
        }
        passedOver = excluded;
        return found;
    }

    private void lookAfterDead(List<T> values, boolean isEverything) {
        Set<MessageId> returned = new HashSet<>();
        values.forEach(value -> returned.add(reader.idOf(value)));
        giveUps.retry(returned);
        memory.forgetDeadExcept(returned, isEverything);
    }

    /** Puts the items of each key into the order of their sequence, and leaves the places of keys as they came. */
    private List<Item<T>> inOrderOfKeys(List<Item<T>> found) {
        if (reader.sequence().isEmpty()) {
            return found;
        }
        Map<Optional<String>, Queue<Item<T>>> byKey = new HashMap<>();
        found.stream()
                .sorted(Comparator.comparingLong(Item::sequence))
                .forEach(item -> byKey.computeIfAbsent(item.key(), key -> new ArrayDeque<>())
                        .add(item));
        return found.stream()
                .map(item -> requireNonNull(byKey.get(item.key())).remove())
                .toList();
    }

    private Fetched hand(List<Item<T>> found, FetchRequest request) {
        List<OutboxRow> rows = new ArrayList<>();
        long bytes = 0;
        for (Item<T> item : found) {
            bytes += item.message().payload().length;
            if (rows.size() >= request.maxRows() || (!rows.isEmpty() && bytes > request.maxBytes())) {
                return new Fetched(rows, true, false, memory.now());
            }
            rows.add(memory.hand(item).hotRow(memory.stateOf(item.key())));
        }
        return new Fetched(rows, false, false, memory.now());
    }

    /** Nothing to prove: every fetch reads from the head. */
    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return new long[0];
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        return Optional.empty();
    }
}
