package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.source.Item.Standing;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.ProcessLeases;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a relay does with a source: fetches items, and says what became of them.
 *
 * <p>Reads from the head each time, passes over what is known, and returns failed items when they are due.
 */
record SourceRelayStore<T>(Items<T> items, ProcessLeases leases, Ordering ordering) implements RelayStore, LaneScan {

    @Override
    public LaneScan openScan() {
        return this;
    }

    @Override
    public HeldMessages held() {
        return items;
    }

    /** Nothing is moved, but the relay looks when an item is due. */
    @Override
    public Released releaseDelayed(Set<Integer> lanes, int limit) {
        List<Duration> waits = items.all(Standing.WAITING)
                .filter(Item::hasFailed)
                .flatMap(item -> item.dueIn(items.nanos()).stream())
                .sorted()
                .toList();
        int due = (int) waits.stream().filter(Duration::isZero).count();
        return new Released(due, waits.stream().skip(due).findFirst());
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        if (!request.lanes().contains(Item.LANE)) {
            return new Fetched(List.of(), false, false, items.now());
        }
        items.takeBackExcept(request.known());
        List<Item<T>> fresh = items.fetchNew(request.maxRows(), request.excludedTopics());
        synchronized (items) {
            List<Item<T>> ready = ready(fresh, request.excludedTopics());
            List<Item<T>> handed = request.fitting(ready, item -> item.message.payload().length);
            handed.forEach(items::hand);
            Set<String> heldKeys = items.all(Standing.WAITING)
                    .flatMap(item -> item.message.key().stream())
                    .collect(Collectors.toSet());
            List<OutboxRow> rows =
                    handed.stream().map(item -> item.row(heldKeys)).toList();
            return new Fetched(rows, rows.size() < ready.size(), false, items.now());
        }
    }

    /** What waits and may be tried, then what is new. An item that may not go stops those behind it. */
    private List<Item<T>> ready(List<Item<T>> fresh, Set<String> excludedTopics) {
        List<Item<T>> ready = new ArrayList<>();
        Set<Object> stopped = new HashSet<>();
        Stream<Item<T>> unknown =
                fresh.stream().filter(item -> items.find(item.message.id()).isEmpty());
        Stream<Item<T>> all = Stream.concat(items.all(Standing.WAITING), unknown);
        // Where all is one order, an earlier item of a key must not bring those of other keys past one that waits.
        for (Item<T> item : ordering == Ordering.GLOBAL ? all.toList() : inOrderOfKeys(all)) {
            boolean mayGo = item.isDue(items.nanos()) && !excludedTopics.contains(item.message.topic());
            if (mayGo && !stopped.contains(item.orderOf(ordering))) {
                ready.add(item);
            } else {
                stopped.add(item.orderOf(ordering));
            }
        }
        return ordering == Ordering.GLOBAL ? inOrderOfKeys(ready.stream()) : ready;
    }

    /** Puts the items of each key into the order of their sequence, and leaves the places of keys as they came. */
    private List<Item<T>> inOrderOfKeys(Stream<Item<T>> all) {
        List<Item<T>> places = all.toList();
        Map<Optional<String>, Queue<Item<T>>> byKey = new HashMap<>();
        places.stream()
                .sorted(Comparator.comparingLong(item -> item.sequence))
                .forEach(item -> byKey.computeIfAbsent(item.message.key(), key -> new ArrayDeque<>())
                        .add(item));
        return places.stream()
                .map(item -> requireNonNull(byKey.get(item.message.key())).remove())
                .toList();
    }

    /** By id alone: it was delivered, whatever seq it has by now. */
    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        items.acknowledge(
                delivered.stream().flatMap(row -> items.find(row.id()).stream()).toList());
    }

    /**
     * What was delivered first, in one call; if that fails nothing is changed. Everything else happens in memory and cannot
     * fail.
     */
    @Override
    public void settle(Lease lease, List<RowOutcome> outcomes) {
        leases.require(lease);
        deleteDelivered(outcomes.stream()
                .filter(RowOutcome::isDelivered)
                .map(RowOutcome::row)
                .toList());
        outcomes.forEach(items::note);
    }
}
