package dev.postrider.store.existing;

import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A relay that takes rows and does nothing more. */
final class Hands {
    private final OutboxStore store;
    private final TakenLane lane;
    private final LaneScan scan;

    /** With a lease of one second. */
    Hands(OutboxStore store) {
        this(store, Duration.ofSeconds(1));
    }

    Hands(OutboxStore store, Duration lease) {
        this.store = store;
        this.lane = store.leases().take(0, "hands", lease).orElseThrow();
        this.scan = store.forRelay(Ordering.NONE).openScan();
        scan.add(lane);
    }

    OutboxStore store() {
        return store;
    }

    TakenLane lane() {
        return lane;
    }

    Fetched fetch() {
        return scan.fetch(new FetchRequest(Set.of(0), new NothingKnown(), Set.of(), 10, 1_000_000));
    }

    List<String> take() {
        return fetch().rows().stream().map(row -> row.id().toString()).toList();
    }

    Renewal renewal() {
        return new Renewal(lane.lease(), Optional.empty());
    }
}
