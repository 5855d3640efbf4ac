package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.source.Tracked.Dead;
import dev.postrider.source.Tracked.Held;
import dev.postrider.source.Tracked.Hot;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.HeldMessages.HeldHead;
import dev.postrider.spi.HeldMessages.Waiting;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.Settlements;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes any {@link MessageSource} an outbox that a relay can deliver, for people who keep their messages elsewhere.
 *
 * <p>Guarantees: every item that the source returns is delivered at least once, or is visible as held or as a dead letter; it
 * is acknowledged only after the destination has acknowledged it; messages of one key go out in the order of their sequence. A
 * failing item holds back its own key only.
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

    private final String name;
    private final MessageLimits limits;
    private final SourceMemory<T> memory;
    private final SourceLeases leases;
    private final SourceScan<T> scan;
    private final SourceSettlements<T> settlements;
    private final SourceHeld<T> held;
    private final SourceDeadLetters<T> deadLetters;
    private final SourceMaintenance maintenance;
    private final SourcePauses pauses = new SourcePauses();
    private final WakeSignal wakeSignal = new WakeSignal();

    SourceOutboxStore(SourceStoreBuilder<T> builder) {
        this.name = builder.name;
        this.limits = builder.limits;
        SourceCalls<T> source = new SourceCalls<>(name, builder.source);
        this.memory = new SourceMemory<>(builder.clock, builder.nanoTime);
        this.leases = new SourceLeases(builder.onlyWhile, builder.nanoTime);
        GiveUps<T> giveUps = new GiveUps<>(source, memory);
        this.scan = new SourceScan<>(source, builder.reader(), memory, giveUps, builder.lookAhead);
        this.settlements = new SourceSettlements<>(source, memory, leases, giveUps);
        this.held = new SourceHeld<>(memory, leases, Ordering.PER_KEY);
        this.deadLetters = new SourceDeadLetters<>(source, memory);
        this.maintenance = new SourceMaintenance(deadLetters, memory);
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
        return name;
    }

    /** Always one. */
    @Override
    public int laneCount() {
        return 1;
    }

    @Override
    public MessageLimits limits() {
        return limits;
    }

    @Override
    public boolean keepsDelivered() {
        return false;
    }

    /**
     * Refused: a source is only read.
     *
     * @throws StoreException always
     */
    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        throw new StoreException("The outbox " + name
                + " reads a MessageSource and cannot be written to; add items to that source itself, then call wake()");
    }

    @Override
    public LaneLeases leases() {
        return leases;
    }

    @Override
    public RelayStore forRelay(Ordering ordering) {
        return new SourceRelayStore(scan, settlements, new SourceHeld<>(memory, leases, ordering));
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return held.unblock(key, operator);
    }

    @Override
    public List<HeldHead> heads(int limit) {
        return held.heads(limit);
    }

    @Override
    public List<Waiting> waiting() {
        return held.waiting();
    }

    @Override
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public Pauses pauses() {
        return pauses;
    }

    /** Knows only what was fetched: what waits in the source beyond that is not counted. */
    @Override
    public OutboxStats stats() {
        return new OutboxStats(
                memory.count(Hot.class) + memory.count(Held.class),
                false,
                memory.count(Held.class),
                0,
                memory.count(Dead.class),
                0,
                memory.oldestAge());
    }

    @Override
    public Maintenance maintenance() {
        return maintenance;
    }

    @Override
    public WakeSignal wakeSignal() {
        return wakeSignal;
    }

    private record SourceRelayStore(LaneScan openScan, Settlements settlements, HeldMessages held)
            implements RelayStore {

        /** There are none: the source returns an item when it is due. */
        @Override
        public Released releaseDelayed(Set<Integer> lanes, int limit) {
            return new Released(0, Optional.empty());
        }
    }
}
