package dev.postrider.source;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.LogThrottle;
import dev.postrider.message.Due;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.source.Item.Standing;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.NoHeldMessages;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user's source, and all that is known of items that were fetched from it and not yet acknowledged; after a restart the source
 * returns them as new. The scan returns failed items when they are due, so there is no held table, but lines in which items wait.
 *
 * <p>Guarded by its own monitor, which is never held while the source is called.
 */
final class Items<T> extends NoHeldMessages {

    static final Logger LOG = LoggerFactory.getLogger(SourceOutboxStore.class);
    private static final LogThrottle THROTTLE = new LogThrottle(LOG);
    private static final int MAX_DEAD_REMEMBERED = 10_000;
    private static final Duration TELL_AGAIN_AFTER = Duration.ofSeconds(10);
    private static final OutboxMessage STAND_IN =
            OutboxMessage.builder("unreadable").type("unreadable").build();

    final String name;
    final MessageLimits limits;
    private final MessageSource<T> source;
    private final int lookAhead;
    private final Clock clock;
    private final LongSupplier nanoTime;

    /** As they were handed to the relay. */
    private final Map<MessageId, Item<T>> known = new LinkedHashMap<>();

    private long lastSeq;

    Items(SourceStoreBuilder<T> builder) {
        this.name = builder.name;
        this.source = builder.source;
        this.limits = builder.limits;
        this.lookAhead = builder.lookAhead;
        this.clock = builder.clock;
        this.nanoTime = builder.nanoTime;
    }

    Instant now() {
        return clock.instant();
    }

    long nanos() {
        return nanoTime.getAsLong();
    }

    /**
     * What is new in the source, except what is for these topics. Asks for one more item for each that is known already, and for twice as
     * many while it finds nothing new, so that failing items at the head never hide those behind them, up to the look-ahead.
     */
    List<Item<T>> fetchNew(int maxRows, Set<String> excludedTopics) {
        // What an operator discards while the source is asked may still be among its answers, and is nothing new.
        Set<MessageId> before = ids();
        for (long limit = (long) before.size() + maxRows; ; limit *= 2) {
            int asked = (int) Math.min(limit, lookAhead);
            List<T> values = call("fetch", () -> requireNonNull(source.fetch(asked), "null instead of a list"));
            Map<MessageId, T> returned = new LinkedHashMap<>();
            values.forEach(value -> returned.putIfAbsent(idOf(value), value));
            reviewDead(returned.keySet(), values.size() < asked);
            returned.keySet().removeAll(before);
            List<Item<T>> fresh = returned.entrySet().stream()
                    .map(each -> read(each.getKey(), each.getValue()))
                    .filter(item -> !excludedTopics.contains(item.message.topic()))
                    .toList();
            if (!fresh.isEmpty() || values.size() < asked || asked == lookAhead) {
                return fresh;
            }
        }
    }

    private synchronized Set<MessageId> ids() {
        return Set.copyOf(known.keySet());
    }

    private MessageId idOf(T value) {
        return call("tell the id of " + value, () -> {
            requireNonNull(value, "null among the items");
            return requireNonNull(source.id(value), "every item needs an id that is always the same");
        });
    }

    private Item<T> read(MessageId id, T value) {
        Item<T> item;
        try {
            item = new Item<>(
                    value, message(value).withId(id), source.createdAt(value).orElseGet(this::now));
            item.sequence = source.sequence(value);
        } catch (RuntimeException failure) {
            item = new Item<>(value, STAND_IN.withId(id), now());
            Object problem = failure instanceof InvalidMessageException ? failure.getMessage() : failure;
            item.problem = Optional.of(String.valueOf(problem));
        }
        item.tryAt(nanos());
        return item;
    }

    private OutboxMessage message(T value) {
        OutboxMessage message = requireNonNull(source.toMessage(value), "toMessage returned null");
        if (!message.due().equals(Due.NOW) || message.dedupKey().isPresent()) {
            throw new InvalidMessageException(
                    "toMessage", "gave a due time or a dedup key; a source decides itself what it returns, and when");
        }
        limits.check(message);
        return message;
    }

    /**
     * Tells the source once more of what it has not understood, and forgets what it has moved out of the way: it returned everything it
     * has, and not these. Where it has more than it returned nobody knows, and only the latest are remembered.
     */
    private void reviewDead(Set<MessageId> returned, boolean isEverything) {
        all(Standing.DEAD)
                .filter(dead -> returned.contains(dead.message.id()))
                .filter(dead -> dead.tellAgainAt.filter(at -> at - nanos() <= 0).isPresent())
                .forEach(this::giveUp);
        synchronized (this) {
            List<Item<T>> gone = all(Standing.DEAD)
                    .filter(dead -> !returned.contains(dead.message.id()))
                    .toList();
            int remembered = isEverything ? 0 : MAX_DEAD_REMEMBERED;
            forget(gone.subList(0, Math.max(0, gone.size() - remembered)));
        }
    }

    /** Tells the source that this one is dead, later once more if that fails. */
    private void giveUp(Item<T> dead) {
        dead.tellAgainAt = Optional.empty();
        try {
            call("giveUp", () -> {
                source.giveUp(dead.value, dead.reason, dead.error);
                return dead;
            });
        } catch (StoreException failure) {
            THROTTLE.warn(name, failure, "A dead item is told again later");
            dead.tellAgainAt = Optional.of(nanos() + TELL_AGAIN_AFTER.toNanos());
        }
    }

    /** If the source fails, it has all of them, and so have we. */
    void acknowledge(List<Item<T>> items) {
        if (!items.isEmpty()) {
            call("acknowledge", () -> {
                source.acknowledge(items.stream().map(item -> item.value).toList());
                return items;
            });
            forget(items);
        }
    }

    private <R> R call(String operation, Callable<R> call) {
        try {
            return call.call();
        } catch (Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new StoreException("The source " + name + " failed to " + operation + ": " + failure, failure);
        }
    }

    synchronized Stream<Item<T>> all(Standing standing) {
        return known.values().stream().filter(item -> item.standing == standing).toList().stream();
    }

    synchronized Optional<Item<T>> find(MessageId id) {
        return Optional.ofNullable(known.get(id));
    }

    /** The item goes to the relay, under a new seq. */
    synchronized void hand(Item<T> item) {
        item.seq = ++lastSeq;
        item.standing = Standing.HANDED;
        known.remove(item.message.id());
        known.put(item.message.id(), item);
    }

    /** What became of an item, if the relay still has it under this seq. */
    void note(RowOutcome each) {
        Optional<Item<T>> noted;
        synchronized (this) {
            noted = find(each.row().id())
                    .filter(item -> item.seq == each.row().seq() && item.standing == Standing.HANDED);
            noted.ifPresent(item -> item.note(each.outcome(), now(), nanos()));
        }
        noted.filter(item -> item.standing == Standing.DEAD).ifPresent(this::giveUp);
    }

    /** What the relay has dropped without an outcome is fetched again. */
    synchronized void takeBackExcept(KnownRows rows) {
        List<Item<T>> dropped = all(Standing.HANDED)
                .filter(item -> !rows.contains(Item.LANE, item.seq))
                .toList();
        dropped.forEach(item -> item.tryAt(nanos()));
        forget(dropped.stream().filter(item -> !item.hasFailed()).toList());
    }

    private synchronized void forget(List<Item<T>> gone) {
        gone.forEach(item -> known.remove(item.message.id()));
    }

    /** Changes those of this standing, and returns them. */
    synchronized List<Item<T>> change(
            Standing standing, Predicate<Item<T>> which, int limit, Consumer<Item<T>> change) {
        List<Item<T>> found = all(standing).filter(which).limit(limit).toList();
        found.forEach(change);
        return found;
    }

    @Override
    public synchronized Set<HeldLine> occupied(Set<HeldLine> lines) {
        return all(Standing.WAITING)
                .flatMap(item -> item.line().stream())
                .filter(lines::contains)
                .collect(Collectors.toSet());
    }
}
