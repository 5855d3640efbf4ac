package dev.postrider.source;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a relay does with a source: fetches items, and says what became of them.
 *
 * <p>Reads from the head each time, passes over what is known, and returns failed items when they are due. Asks for as many items
 * more as are known already, and for twice as many when it finds nothing new, so that failing items at the head never hide those
 * behind them, up to the look-ahead.
 */
record SourceRelayStore<T>(UserSource<T> source, Items<T> items, ProcessLeases leases, Ordering ordering)
        implements RelayStore, LaneScan {

    private static final Duration TELL_AGAIN_AFTER = Duration.ofSeconds(10);

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
        List<Duration> waits = items.waits();
        List<Duration> later = waits.stream().filter(wait -> !wait.isZero()).toList();
        return new Released(waits.size() - later.size(), later.stream().findFirst());
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        Fetched fetched = new Fetched(List.of(), false, false, items.now());
        if (!request.lanes().contains(Item.LANE)) {
            return fetched;
        }
        items.takeBackExcept(request.known());
        boolean isDone = false;
        long limit = (long) items.size() + request.maxRows();
        while (fetched.rows().isEmpty() && !isDone) {
            int asked = (int) Math.min(limit, source.lookAhead());
            List<T> values = source.fetch(asked);
            Map<MessageId, T> returned = new LinkedHashMap<>();
            values.forEach(value -> returned.putIfAbsent(source.idOf(value), value));
            fetched = hand(newAmong(returned, request.excludedTopics()), request);
            tellAgain(returned.keySet());
            items.forgetDeadExcept(returned.keySet(), values.size() < asked);
            isDone = values.size() < asked || asked == source.lookAhead();
            limit = asked * 2L;
        }
        return fetched;
    }

    private List<Item<T>> newAmong(Map<MessageId, T> returned, Set<String> excludedTopics) {
        return returned.entrySet().stream()
                .filter(each -> items.find(each.getKey()).isEmpty())
                .map(each -> source.read(each.getKey(), each.getValue(), items.now()))
                .filter(item -> !excludedTopics.contains(item.message.topic()))
                .toList();
    }

    /**
     * Hands over what waits and may be tried, then what is new. An item that may not go stops those behind it, and holds its
     * key.
     */
    private Fetched hand(List<Item<T>> fresh, FetchRequest request) {
        List<Item<T>> ready = new ArrayList<>();
        Set<Object> stopped = new HashSet<>();
        Set<Optional<String>> heldKeys = new HashSet<>();
        Comparator<Item<T>> order =
                Comparator.comparingLong(item -> ordering == Ordering.GLOBAL ? item.seq : item.sequence);
        synchronized (items) {
            items.all(Standing.WAITING).sorted(order).forEach(item -> {
                boolean mayGo =
                        item.isDue(items.nanos()) && !request.excludedTopics().contains(item.message.topic());
                if (mayGo && !stopped.contains(item.orderOf(ordering))) {
                    ready.add(item);
                } else {
                    stopped.add(item.orderOf(ordering));
                    heldKeys.add(item.message.key());
                }
            });
            if (stopped.isEmpty() || ordering != Ordering.GLOBAL) {
                ready.addAll(fresh);
            }
            return hand(inOrderOfKeys(ready), heldKeys, request);
        }
    }

    /** Puts the items of each key into the order of their sequence, and leaves the places of keys as they came. */
    private List<Item<T>> inOrderOfKeys(List<Item<T>> ready) {
        Map<Optional<String>, Iterator<Item<T>>> byKey = ready.stream()
                .sorted(Comparator.comparingLong(item -> item.sequence))
                .collect(groupingBy(item -> item.message.key(), collectingAndThen(toList(), List::iterator)));
        return ready.stream()
                .map(item -> requireNonNull(byKey.get(item.message.key())).next())
                .toList();
    }

    private Fetched hand(List<Item<T>> ready, Set<Optional<String>> heldKeys, FetchRequest request) {
        List<OutboxRow> rows = new ArrayList<>();
        long bytes = 0;
        for (Item<T> item : ready) {
            bytes += item.message.payload().length;
            if (rows.size() >= request.maxRows() || (!rows.isEmpty() && bytes > request.maxBytes())) {
                return new Fetched(rows, true, false, items.now());
            }
            items.hand(item);
            rows.add(item.row(stateOf(item, heldKeys)));
        }
        return new Fetched(rows, false, false, items.now());
    }

    /** An item that comes back is the first that waits in its line; of others the relay knows where they lead. */
    private static KeyState stateOf(Item<?> item, Set<Optional<String>> heldKeys) {
        boolean isHeld =
                item.message.key().isPresent() && item.line().isEmpty() && heldKeys.contains(item.message.key());
        return isHeld ? KeyState.HELD : KeyState.FREE;
    }

    /** By id alone: it was delivered, whatever seq it has by now. */
    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        acknowledge(delivered.stream().flatMap(row -> items.find(row.id()).stream()));
    }

    /**
     * What was delivered first, in one call; if that fails nothing is changed. Everything else happens in memory and cannot
     * fail.
     */
    @Override
    public void settle(Lease lease, List<RowOutcome> outcomes) {
        leases.require(lease);
        acknowledge(outcomes.stream()
                .filter(each -> each.outcome() instanceof RowOutcome.Delivered)
                .flatMap(each -> items.handed(each.row()).stream()));
        outcomes.forEach(each -> items.note(each).ifPresent(this::tell));
    }

    private void acknowledge(Stream<Item<T>> delivered) {
        List<Item<T>> gone = delivered.toList();
        source.acknowledge(gone);
        items.forget(gone);
    }

    /** Unless an operator has revived it meanwhile, the source now knows that this one is dead, or is told again later. */
    private void tell(Item<T> dead) {
        boolean isTold = source.giveUp(dead);
        synchronized (items) {
            if (dead.standing == Standing.DEAD) {
                dead.dueAt = isTold ? Optional.empty() : Optional.of(items.nanos() + TELL_AGAIN_AFTER.toNanos());
            }
        }
    }

    /** Tells the source once more of what it has not understood, as far as it still returns that. */
    private void tellAgain(Set<MessageId> returned) {
        items.all(Standing.DEAD)
                .filter(dead -> dead.isDue(items.nanos()) && returned.contains(dead.id()))
                .forEach(this::tell);
    }
}
