package dev.postrider.service.operation;

import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OutboxStore.Part;
import dev.postrider.spi.RowCount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How one outbox stands.
 *
 * @param outbox its name in the configuration file, else that of its tables
 * @param held some of the messages that hold back their keys, and what waits for a destination or for a place there
 * @param rates empty where the database does not count
 * @param isRelayKnown whether the outbox tells which relays run; if not, {@code lanes} says nothing
 * @param byStatus how many rows have each status of a table that exists already
 * @param dead how many dead letters there are of each reason; counted up to a bound
 */
public record OutboxStatus(
        String outbox,
        OutboxStats stats,
        Map<String, RowCount> byStatus,
        List<LaneState> lanes,
        HeldReport held,
        Map<DeadReason, Long> dead,
        Set<String> paused,
        Optional<Rates> rates,
        boolean isRelayKnown) {

    private static final int SHOWN_HEADS = 20;
    private static final int COUNTED_DEAD = 10_000;

    /** Reads it, each part by itself; the rates were measured by the caller. */
    public static OutboxStatus read(String outbox, OutboxStore store, Optional<Rates> rates) {
        return new OutboxStatus(
                outbox,
                store.stats(),
                store.countsByStatus(),
                store.leases().lanes(),
                store.heldReport(SHOWN_HEADS),
                store.deadLetters().countByReason(COUNTED_DEAD),
                new TreeSet<>(store.pauses().paused()),
                rates,
                store.whyNotShared(Part.RELAYS).isEmpty());
    }

    public long freeLanes() {
        return lanes.stream().filter(lane -> !lane.isOwned()).count();
    }

    /** Whether all dead letters were counted. */
    public boolean isDeadExact() {
        return deadLetters() < COUNTED_DEAD;
    }

    public long deadLetters() {
        return dead.values().stream().mapToLong(Long::longValue).sum();
    }
}
