package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.MessageId;
import dev.postrider.source.Item.Standing;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.ProcessLeases;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
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

/**
 * What a relay does with a source: fetches items, and says what became of them.
 *
 * <p>Reads from the head each time, passes over what is known, and returns failed items when they are due. Asks for as many items
 * more as are known already, and for twice as many when it finds nothing new, so that failing items at the head never hide those
 * behind them, up to the look-ahead.
 */
record SourceRelayStore<T>(UserSource<T> source, Items<T> items, ProcessLeases leases, Ordering ordering)
        implements RelayStore, LaneScan, Settlements {

    @Override
    public LaneScan openScan() {
        return this;
    }

    @Override
    public Settlements settlements() {
        return this;
    }

    @Override
    public HeldMessages held() {
        return items;
    }

    /** Nothing is moved, but the relay looks when an item is due. */
    @Override
    public Released releaseDelayed(Set<Integer> lanes, int limit) {
        return items.due();
    }

    /** Nothing to prove: every fetch reads from the head. */
    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return new long[0];
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        if (!request.lanes().contains(Item.LANE)) {
            return new Fetched(List.of(), false, false, items.now());
        }
        items.takeBackExcept(request.known());
        List<Item<T>> found = List.of();
        Set<Optional<String>> heldKeys = new HashSet<>();
        boolean isComplete = false;
        long limit = (long) items.size() + items.passedOver + request.maxRows();
        while (found.isEmpty() && !isComplete) {
            int asked = (int) Math.min(limit, source.lookAhead());
            List<T> values = source.fetch(asked);
            Map<MessageId, T> byId = new LinkedHashMap<>();
            values.forEach(value -> byId.putIfAbsent(source.idOf(value), value));
            heldKeys.clear();
            found = dueAndNew(byId, request.excludedTopics(), heldKeys);
            isComplete = values.size() < asked || asked == source.lookAhead();
            tellAgain(byId.keySet());
            items.forgetDeadExcept(byId.keySet(), values.size() < asked);
            limit = asked * 2L;
        }
        return hand(inOrderOfKeys(found), heldKeys, request);
    }

    /** What waits and may be tried, then what is new. An item that may not go stops those behind it, and holds its key. */
    private List<Item<T>> dueAndNew(
            Map<MessageId, T> returned, Set<String> excludedTopics, Set<Optional<String>> heldKeys) {
        List<Item<T>> found = new ArrayList<>();
        Set<Object> stopped = new HashSet<>();
        boolean isGlobal = ordering == Ordering.GLOBAL;
        synchronized (items) {
            Comparator<Item<T>> order = Comparator.comparingLong(item -> isGlobal ? item.seq : item.sequence);
            items.all(Standing.WAITING).sorted(order).forEach(item -> {
                boolean mayGo = item.isDue(items.nanos()) && !excludedTopics.contains(item.message.topic());
                if (mayGo && !stopped.contains(item.orderOf(ordering))) {
                    found.add(item);
                } else {
                    stopped.add(item.orderOf(ordering));
                    heldKeys.add(item.key());
                }
            });
        }
        if (stopped.isEmpty() || !isGlobal) {
            found.addAll(newAmong(returned, excludedTopics));
        }
        return found;
    }

    private List<Item<T>> newAmong(Map<MessageId, T> returned, Set<String> excludedTopics) {
        List<Item<T>> found = new ArrayList<>();
        returned.forEach((id, value) -> {
            if (items.find(id).isEmpty()) {
                found.add(source.read(id, value, items.now()));
            }
        });
        int all = found.size();
        found.removeIf(item -> excludedTopics.contains(item.message.topic()));
        items.passedOver = all - found.size();
        return found;
    }

    /** Puts the items of each key into the order of their sequence, and leaves the places of keys as they came. */
    private List<Item<T>> inOrderOfKeys(List<Item<T>> found) {
        Map<Optional<String>, Queue<Item<T>>> byKey = new HashMap<>();
        found.stream()
                .sorted(Comparator.comparingLong(item -> item.sequence))
                .forEach(item -> byKey.computeIfAbsent(item.key(), key -> new ArrayDeque<>())
                        .add(item));
        return found.stream()
                .map(item -> requireNonNull(byKey.get(item.key())).remove())
                .toList();
    }

    private Fetched hand(List<Item<T>> found, Set<Optional<String>> heldKeys, FetchRequest request) {
        synchronized (items) {
            List<OutboxRow> rows = new ArrayList<>();
            long bytes = 0;
            for (Item<T> item : found) {
                bytes += item.message.payload().length;
                if (rows.size() >= request.maxRows() || (!rows.isEmpty() && bytes > request.maxBytes())) {
                    return new Fetched(rows, true, false, items.now());
                }
                items.hand(item);
                rows.add(item.row(stateOf(item, heldKeys)));
            }
            return new Fetched(rows, false, false, items.now());
        }
    }

    /** An item that comes back is the first that waits in its line; of others the relay knows where they lead. */
    private static KeyState stateOf(Item<?> item, Set<Optional<String>> heldKeys) {
        boolean isHeld = item.key().isPresent() && item.line().isEmpty() && heldKeys.contains(item.key());
        return isHeld ? KeyState.HELD : KeyState.FREE;
    }

    /** By id alone: it was delivered, whatever seq it has by now. */
    @Override
    public void delete(List<RowRef> delivered) {
        acknowledge(
                delivered.stream().flatMap(row -> items.find(row.id()).stream()).toList());
    }

    /**
     * What was delivered first, in one call; if that fails nothing is changed. Everything else happens in memory and cannot
     * fail.
     */
    @Override
    public void apply(Lease lease, List<RowOutcome> outcomes) {
        leases.require(lease);
        acknowledge(outcomes.stream()
                .filter(each -> each.outcome() instanceof RowOutcome.Delivered)
                .flatMap(each -> items.handed(each.row()).stream())
                .toList());
        outcomes.forEach(each -> items.note(each).ifPresent(this::tell));
    }

    private void acknowledge(List<Item<T>> delivered) {
        source.acknowledge(delivered);
        items.forget(delivered);
    }

    private void tell(Item<T> dead) {
        boolean isTold = source.giveUp(dead);
        synchronized (items) {
            dead.told(isTold, items.nanos());
        }
    }

    /** Tells the source once more of what it has not understood, as far as it still returns that. */
    private void tellAgain(Set<MessageId> returned) {
        items.all(Standing.DEAD)
                .filter(dead -> dead.isDue(items.nanos()) && returned.contains(dead.id()))
                .forEach(this::tell);
    }
}
