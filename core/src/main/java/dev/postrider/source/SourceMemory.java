package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.source.Tracked.Dead;
import dev.postrider.source.Tracked.Held;
import dev.postrider.source.Tracked.Hot;
import dev.postrider.source.Tracked.Standing;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.RowRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of items that were fetched and not yet acknowledged.
 *
 * <p>Guarded by its own monitor, which is never held while the source is called.
 */
final class SourceMemory<T> {

    private static final int MAX_DEAD_REMEMBERED = 10_000;

    private final Map<MessageId, Tracked<T>> items = new HashMap<>();
    private final Map<String, Integer> heldPerKey = new HashMap<>();
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

    synchronized Stream<Tracked<T>> all() {
        return List.copyOf(items.values()).stream();
    }

    synchronized Optional<Tracked<T>> find(MessageId id) {
        return Optional.ofNullable(items.get(id));
    }

    /** The item, if it still stands as the relay believes. */
    synchronized Optional<Tracked<T>> find(RowRef ref, Class<? extends Standing> standing) {
        return find(ref.id()).filter(tracked -> tracked.seq() == ref.seq() && standing.isInstance(tracked.standing()));
    }

    /** An item is handed to the relay, under a new seq. */
    synchronized Tracked<T> hand(Item<T> item) {
        Tracked<T> tracked = new Tracked<>(item, ++lastSeq, Hot.HOT);
        put(tracked);
        return tracked;
    }

    synchronized void change(Tracked<T> tracked, Standing standing) {
        put(tracked.as(standing));
    }

    private void put(Tracked<T> tracked) {
        count(items.put(tracked.item().id(), tracked), -1);
        count(tracked, 1);
    }

    synchronized void forget(MessageId id) {
        count(items.remove(id), -1);
    }

    private void count(@Nullable Tracked<T> tracked, int difference) {
        if (tracked != null && tracked.standing() instanceof Held) {
            tracked.item()
                    .key()
                    .ifPresent(key -> heldPerKey.merge(
                            key, difference, (old, change) -> old + change == 0 ? null : old + change));
        }
    }

    /** Forgets what the relay has dropped without an outcome: it is fetched again. */
    synchronized void forgetHotExcept(KnownRows known) {
        items.values()
                .removeIf(tracked -> tracked.standing() instanceof Hot && !known.contains(Tracked.LANE, tracked.seq()));
    }

    /**
     * Forgets dead letters that the source has moved out of the way: it returned everything it has, and not these. Where it has
     * more than it returned nobody knows, and only so many are remembered.
     */
    synchronized void forgetDeadExcept(Set<MessageId> returned, boolean isEverything) {
        List<MessageId> gone = all().filter(tracked -> isForgettable(tracked)
                        && !returned.contains(tracked.item().id()))
                .sorted(Tracked.BY_SEQ)
                .map(tracked -> tracked.item().id())
                .toList();
        int remembered = isEverything ? 0 : MAX_DEAD_REMEMBERED;
        gone.stream().limit(Math.max(0, gone.size() - remembered)).forEach(this::forget);
    }

    private static boolean isForgettable(Tracked<?> tracked) {
        return tracked.standing() instanceof Dead dead && !dead.retryRequested() && !dead.isLeaving();
    }

    synchronized KeyState stateOf(Optional<String> key) {
        return key.filter(heldPerKey::containsKey).isPresent() ? KeyState.HELD : KeyState.FREE;
    }

    synchronized long count(Class<? extends Standing> standing) {
        return all().filter(tracked -> standing.isInstance(tracked.standing())).count();
    }

    Duration oldestAge() {
        return all().filter(tracked -> !(tracked.standing() instanceof Dead))
                .map(tracked -> Duration.between(tracked.item().createdAt(), now()))
                .max(Duration::compareTo)
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
    }
}
