package dev.postrider.source;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.source.Item.Standing;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.ProcessLeases;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Makes any {@link MessageSource} an outbox that a relay can deliver, for people who keep their messages elsewhere.
 *
 * <p>Guarantees: every item that the source returns is delivered at least once, or is visible as held or as a dead letter; it
 * is acknowledged only after the destination has acknowledged it; messages of one key go out in the order of their sequence. A
 * failing item holds back its own key only, and that at its own destination only.
 *
 * <p>One relay at a time delivers, since a source has no leases. Relays that share this object see to that themselves; between
 * processes it is up to the user, by starting one only or by {@link SourceStoreBuilder#onlyWhile}. Attempts, held items, dead
 * letters and pauses live in memory: after a restart every item that was not acknowledged is tried again. Thread-safe.
 *
 * <pre>{@code
 * OutboxStore store = SourceOutboxStore.builder(source).name("events").build();
 * Relay.withDefaults(store, destination).start();
 * }</pre>
 *
 * @param <T> what the source holds
 */
public final class SourceOutboxStore<T> implements OutboxStore {

    private final Items<T> items;
    private final ProcessLeases leases;
    private final Letters letters = new Letters();
    private final Pauses pauses = Pauses.ofProcess();
    private final WakeSignal wakeSignal = new WakeSignal();

    SourceOutboxStore(SourceStoreBuilder<T> builder) {
        this.items = new Items<>(builder);
        this.leases = new ProcessLeases(laneCount(), builder.nanoTime, builder.onlyWhile);
    }

    /** An outbox over this source. */
    public static <T> SourceStoreBuilder<T> builder(MessageSource<T> source) {
        return new SourceStoreBuilder<>(source);
    }

    @Override
    public String name() {
        return items.name;
    }

    /** Always one. */
    @Override
    public int laneCount() {
        return 1;
    }

    @Override
    public MessageLimits limits() {
        return items.limits;
    }

    /**
     * Refused: a source is only read.
     *
     * @throws StoreException always
     */
    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        throw new StoreException("The outbox " + name()
                + " reads a MessageSource and cannot be written to; add items to that source itself, then call wake()");
    }

    @Override
    public LaneLeases leases() {
        return leases;
    }

    @Override
    public RelayStore forRelay(Ordering ordering) {
        return new SourceRelayStore<>(items, leases, ordering);
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return retry(
                Standing.WAITING,
                item -> item.dueAt.isEmpty()
                        && (key.isEmpty() || item.message.key().equals(key)),
                Integer.MAX_VALUE);
    }

    private int retry(Standing standing, Predicate<Item<T>> which, int limit) {
        return items.change(standing, which, limit, item -> item.retry(items.nanos()))
                .size();
    }

    @Override
    public HeldReport heldReport(int maxHeads) {
        synchronized (items) {
            Set<HeldLine> lines = new HashSet<>();
            List<HeldHead> heads = items.all(Standing.WAITING)
                    .filter(item -> item.line().map(lines::add).orElse(true))
                    .limit(maxHeads)
                    .map(item -> item.head(items.nanos()))
                    .toList();
            var waiting = items.all(Standing.WAITING).flatMap(item -> item.waiting().stream());
            return new HeldReport(heads, HeldReport.Waiting.group(waiting));
        }
    }

    @Override
    public DeadLetters deadLetters() {
        return letters;
    }

    @Override
    public Pauses pauses() {
        return pauses;
    }

    /** Knows only what was fetched: what waits in the source beyond that is not counted. */
    @Override
    public OutboxStats stats() {
        synchronized (items) {
            long waiting = items.all(Standing.WAITING).count();
            long undelivered = items.all(Standing.HANDED).count() + waiting;
            long dead = items.all(Standing.DEAD).count();
            Duration oldest = Stream.of(Standing.HANDED, Standing.WAITING)
                    .flatMap(items::all)
                    .map(item -> Duration.between(item.createdAt, items.now()))
                    .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) < 0 ? other : one);
            return new OutboxStats(undelivered, false, waiting, 0, dead, RowCount.NONE, oldest);
        }
    }

    @Override
    public Maintenance maintenance() {
        return letters;
    }

    @Override
    public WakeSignal wakeSignal() {
        return wakeSignal;
    }

    /** Items that were given up, as far as this process remembers them. What operators and cleanups do with them is logged. */
    private final class Letters implements DeadLetters, Maintenance {

        @Override
        public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
            long lastSeq = after.map(letter -> letter.ref().seq()).orElse(0L);
            synchronized (items) {
                return items.all(Standing.DEAD)
                        .map(Item::deadLetter)
                        .filter(letter -> letter.ref().seq() > lastSeq && filter.matches(letter))
                        .limit(limit)
                        .toList();
            }
        }

        /** They are tried at once: the order is that of the memory, which is ours. */
        @Override
        public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
            int count = retry(
                    Standing.DEAD,
                    item -> item.reason != DeadReason.UNREADABLE && filter.matches(item.deadLetter()),
                    limit);
            Items.LOG.info("{} asked for a retry of {} dead letters of {}", operator, count, name());
            return count;
        }

        /** Acknowledges them, so that the source does not return them again. */
        @Override
        public int discard(DeadLetterFilter filter, int limit, String operator) {
            List<Item<T>> leaving = items.change(
                    Standing.DEAD,
                    item -> filter.matches(item.deadLetter()),
                    limit,
                    item -> item.standing = Standing.LEAVING);
            try {
                items.acknowledge(leaving);
            } finally {
                items.change(Standing.LEAVING, leaving::contains, limit, item -> item.standing = Standing.DEAD);
            }
            if (!leaving.isEmpty()) {
                Items.LOG.info("{} discarded {} dead letters of {}", operator, leaving.size(), name());
            }
            return leaving.size();
        }

        @Override
        public int deleteDeadLetters(Duration olderThan, int limit) {
            return discard(DeadLetterFilter.all().withDiedBefore(items.now().minus(olderThan)), limit, "cleanup");
        }

        @Override
        public boolean takeTask(String task, String owner, Duration timeToLive) {
            return leases.takeTask(task, owner, timeToLive);
        }

        @Override
        public void releaseTask(String task, String owner) {
            leases.releaseTask(task, owner);
        }
    }
}
