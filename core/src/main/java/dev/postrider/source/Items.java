package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.source.Item.Standing;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.NoHeldMessages;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that is known of items that were fetched and not yet acknowledged; after a restart the source returns them as new. The
 * scan returns failed items when they are due, so there is no held table, but lines in which items wait.
 *
 * <p>Guarded by its own monitor, which is never held while the source is called.
 */
final class Items<T> extends NoHeldMessages {

    private static final int MAX_DEAD_REMEMBERED = 10_000;

    private final Map<MessageId, Item<T>> known = new HashMap<>();
    private final Clock clock;
    private final LongSupplier nanoTime;
    private long lastSeq;

    Items(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Instant now() {
        return clock.instant();
    }

    long nanos() {
        return nanoTime.getAsLong();
    }

    synchronized int size() {
        return known.size();
    }

    /** As they were handed to the relay. */
    synchronized Stream<Item<T>> all(Standing standing) {
        return known.values().stream()
                .filter(item -> item.standing == standing)
                .sorted(Comparator.comparingLong(item -> item.seq))
                .toList()
                .stream();
    }

    synchronized Optional<Item<T>> find(MessageId id) {
        return Optional.ofNullable(known.get(id));
    }

    /** The item, if the relay still has it under this seq. */
    synchronized Optional<Item<T>> handed(RowRef ref) {
        return find(ref.id()).filter(item -> item.seq == ref.seq() && item.standing == Standing.HANDED);
    }

    /** The item goes to the relay, under a new seq. */
    synchronized void hand(Item<T> item) {
        item.seq = ++lastSeq;
        item.standing = Standing.HANDED;
        known.put(item.id(), item);
    }

    /** Returns the item if it is dead now. */
    synchronized Optional<Item<T>> note(RowOutcome each) {
        Optional<Item<T>> found = handed(each.row());
        found.ifPresent(item -> item.note(each.outcome(), now(), nanos()));
        return found.filter(item -> item.standing == Standing.DEAD);
    }

    synchronized void forget(List<Item<T>> gone) {
        gone.forEach(item -> known.remove(item.id()));
    }

    /** What the relay has dropped without an outcome is fetched again. */
    synchronized void takeBackExcept(KnownRows rows) {
        List<Item<T>> dropped = all(Standing.HANDED)
                .filter(item -> !rows.contains(Item.LANE, item.seq))
                .toList();
        dropped.forEach(item -> item.tryAt(nanos()));
        forget(dropped.stream().filter(item -> !item.hasFailed()).toList());
    }

    /**
     * Forgets dead letters that the source has moved out of the way: it returned everything it has, and not these. Where it has
     * more than it returned nobody knows, and only so many are remembered.
     */
    synchronized void forgetDeadExcept(Set<MessageId> returned, boolean isEverything) {
        List<Item<T>> gone =
                all(Standing.DEAD).filter(item -> !returned.contains(item.id())).toList();
        int remembered = isEverything ? 0 : MAX_DEAD_REMEMBERED;
        forget(gone.subList(0, Math.max(0, gone.size() - remembered)));
    }

    /** How long until each item is due that failed and is to be tried again; the shortest first. */
    synchronized List<Duration> waits() {
        return all(Standing.WAITING)
                .filter(Item::hasFailed)
                .flatMap(item -> item.dueIn(nanos()).stream())
                .sorted()
                .toList();
    }

    @Override
    public synchronized Set<HeldLine> occupied(Set<HeldLine> lines) {
        return all(Standing.WAITING)
                .flatMap(item -> item.line().stream())
                .filter(lines::contains)
                .collect(Collectors.toSet());
    }
}
