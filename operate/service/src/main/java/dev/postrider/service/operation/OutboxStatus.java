package dev.postrider.service.operation;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OutboxStore.Part;
import java.util.EnumMap;
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
 * @param dead how many dead letters there are of each reason; counted up to a bound
 */
public record OutboxStatus(
        String outbox,
        OutboxStats stats,
        List<LaneState> lanes,
        HeldReport held,
        Map<DeadReason, Long> dead,
        Set<String> paused,
        Optional<Rates> rates,
        boolean isRelayKnown) {

    private static final int SHOWN_HEADS = 20;
    private static final long COUNTED_DEAD = 100_000;

    /** Reads it, each part by itself; the rates were measured by the caller. */
    public static OutboxStatus read(String outbox, OutboxStore store, Optional<Rates> rates) {
        Map<DeadReason, Long> dead = new EnumMap<>(DeadReason.class);
        for (DeadReason reason : DeadReason.values()) {
            long count = store.deadLetters().count(DeadLetterFilter.all().withReason(reason), COUNTED_DEAD);
            if (count > 0) {
                dead.put(reason, count);
            }
        }
        return new OutboxStatus(
                outbox,
                store.stats(),
                store.leases().lanes(),
                store.heldReport(SHOWN_HEADS),
                dead,
                new TreeSet<>(store.pauses().paused()),
                rates,
                store.whyNotShared(Part.RELAYS).isEmpty());
    }

    public long freeLanes() {
        return lanes.stream().filter(lane -> !lane.isOwned()).count();
    }

    public long deadLetters() {
        return dead.values().stream().mapToLong(Long::longValue).sum();
    }
}
