package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.source.Tracked.Standing;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.RelayStore.Released;
import dev.postrider.spi.RowRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that is known of items that were fetched and not yet acknowledged; after a restart the source returns them as new.
 *
 * <p>Guarded by its own monitor, which is never held while the source is called.
 */
final class SourceMemory<T> {

    private static final int MAX_DEAD_REMEMBERED = 10_000;

    private final Map<MessageId, Tracked<T>> items = new HashMap<>();
    private final Clock clock;
    private final LongSupplier nanoTime;
    private long lastSeq;

    SourceMemory(Clock clock, LongSupplier nanoTime) {
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
        return items.size();
    }

    synchronized boolean knows(MessageId id) {
        return items.containsKey(id);
    }

    synchronized Stream<Tracked<T>> all(Standing standing) {
        return items.values().stream().filter(tracked -> tracked.is(standing)).sorted(Tracked.BY_SEQ).toList().stream();
    }

    synchronized List<Tracked<T>> find(List<RowRef> rows) {
        List<Tracked<T>> found = new ArrayList<>();
        rows.forEach(ref -> Optional.ofNullable(items.get(ref.id())).ifPresent(found::add));
        return found;
    }

    /** The item, if the relay still has it under this seq. */
    synchronized Optional<Tracked<T>> handed(RowRef ref) {
        return Optional.ofNullable(items.get(ref.id()))
                .filter(tracked -> tracked.seq == ref.seq() && tracked.is(Standing.HANDED));
    }

    /** The item goes to the relay, under a new seq. */
    synchronized void hand(Tracked<T> tracked) {
        tracked.seq = ++lastSeq;
        tracked.standing = Standing.HANDED;
        items.put(tracked.id(), tracked);
    }

    synchronized void forget(List<Tracked<T>> gone) {
        gone.forEach(tracked -> items.remove(tracked.id()));
    }

    /** What the relay has dropped without an outcome is fetched again. */
    synchronized void takeBackExcept(KnownRows known) {
        List<Tracked<T>> dropped = all(Standing.HANDED)
                .filter(tracked -> !known.contains(Tracked.LANE, tracked.seq))
                .toList();
        dropped.forEach(tracked -> tracked.takeBack(nanos()));
        forget(dropped.stream().filter(tracked -> !tracked.hasFailed()).toList());
    }

    /**
     * Forgets dead letters that the source has moved out of the way: it returned everything it has, and not these. Where it has
     * more than it returned nobody knows, and only so many are remembered.
     */
    synchronized void forgetDeadExcept(Set<MessageId> returned, boolean isEverything) {
        List<Tracked<T>> gone = all(Standing.DEAD)
                .filter(tracked -> !tracked.isLeaving && !returned.contains(tracked.id()))
                .toList();
        int remembered = isEverything ? 0 : MAX_DEAD_REMEMBERED;
        forget(gone.subList(0, Math.max(0, gone.size() - remembered)));
    }

    /** Those of the lines in which an item waits. */
    synchronized Set<HeldLine> occupied(Set<HeldLine> lines) {
        return all(Standing.WAITING)
                .flatMap(tracked -> tracked.line().stream())
                .filter(lines::contains)
                .collect(Collectors.toSet());
    }

    /** How many items may be tried again, and when the next one may. */
    synchronized Released due() {
        long now = nanos();
        Map<Boolean, List<Duration>> waits = all(Standing.WAITING)
                .filter(Tracked::hasFailed)
                .flatMap(tracked -> tracked.dueIn(now).stream())
                .collect(Collectors.partitioningBy(wait -> wait.compareTo(Duration.ZERO) > 0));
        List<Duration> later = waits.getOrDefault(true, List.of());
        return new Released(
                waits.getOrDefault(false, List.of()).size(), later.stream().min(Duration::compareTo));
    }

    synchronized int unblock(Optional<String> key) {
        List<Tracked<T>> blocked = all(Standing.WAITING)
                .filter(tracked ->
                        tracked.isBlocked() && (key.isEmpty() || tracked.key().equals(key)))
                .toList();
        blocked.forEach(tracked -> tracked.unblock(nanos()));
        return blocked.size();
    }

    synchronized HeldReport heldReport(int maxHeads) {
        Set<HeldLine> lines = new HashSet<>();
        List<HeldHead> heads = all(Standing.WAITING)
                .filter(tracked -> tracked.line().map(lines::add).orElse(true))
                .limit(maxHeads)
                .map(tracked -> tracked.head(nanos()))
                .toList();
        return new HeldReport(
                heads, Waiting.group(all(Standing.WAITING).flatMap(tracked -> tracked.waiting().stream())));
    }

    synchronized OutboxStats stats() {
        long waiting = all(Standing.WAITING).count();
        Duration oldest = items.values().stream()
                .filter(tracked -> !tracked.is(Standing.DEAD))
                .map(tracked -> Duration.between(tracked.createdAt, now()))
                .filter(age -> !age.isNegative())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return new OutboxStats(
                all(Standing.HANDED).count() + waiting,
                false,
                waiting,
                0,
                all(Standing.DEAD).count(),
                0,
                oldest);
    }
}
