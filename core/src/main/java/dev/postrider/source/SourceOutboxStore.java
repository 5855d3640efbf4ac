package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.ProcessLeases;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
 * OutboxStore store = SourceOutboxStore.builder(source, Event::messageId, Event::toMessage)
 *         .sequence(Event::number)
 *         .build();
 * Relay.withDefaults(store, destination).start();
 * }</pre>
 *
 * @param <T> what the source holds
 */
public final class SourceOutboxStore<T> implements OutboxStore {

    private final UserSource<T> source;
    private final Items<T> items;
    private final ProcessLeases leases;
    private final SourceOperations<T> operations;
    private final WakeSignal wakeSignal = new WakeSignal();

    SourceOutboxStore(SourceStoreBuilder<T> builder) {
        this.source = builder.source();
        this.items = new Items<>(builder.clock, builder.nanoTime);
        this.leases = new ProcessLeases(laneCount(), builder.nanoTime, builder.onlyWhile);
        this.operations = new SourceOperations<>(source, items, leases);
    }

    /**
     * An outbox over this source.
     *
     * @param id the id of an item: the same at every fetch and after every restart, because consumers recognise duplicates by
     *     it. For other ids than UUIDs see {@link MessageId#fromName}
     * @param toMessage the message to send for an item; its own id is replaced. If it throws, the item is given up
     */
    public static <T> SourceStoreBuilder<T> builder(
            MessageSource<T> source, Function<T, MessageId> id, Function<T, OutboxMessage> toMessage) {
        return new SourceStoreBuilder<>(source, id, toMessage);
    }

    @Override
    public String name() {
        return source.name();
    }

    /** Always one. */
    @Override
    public int laneCount() {
        return 1;
    }

    @Override
    public MessageLimits limits() {
        return source.limits();
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
        return new SourceRelayStore<>(source, items, leases, ordering);
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return items.unblock(key);
    }

    @Override
    public HeldReport heldReport(int maxHeads) {
        return items.heldReport(maxHeads);
    }

    @Override
    public DeadLetters deadLetters() {
        return operations;
    }

    @Override
    public Pauses pauses() {
        return operations;
    }

    /** Knows only what was fetched: what waits in the source beyond that is not counted. */
    @Override
    public OutboxStats stats() {
        return items.stats();
    }

    @Override
    public Maintenance maintenance() {
        return operations;
    }

    @Override
    public WakeSignal wakeSignal() {
        return wakeSignal;
    }
}
