package dev.postrider.store.postgres;

import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a relay does with a scan, without sending: keeps every row until it is settled, and settles when told. */
final class ScanDriver implements KnownRows {

    private final OutboxStore store;
    private final LaneScan scan;
    private final Map<Long, OutboxRow> memory = new LinkedHashMap<>();
    private final Set<Integer> lanes = new HashSet<>();
    private final List<OutboxRow> received = new ArrayList<>();
    private Set<String> excludedTopics = Set.of();
    private int maxRows = 1000;
    private long maxBytes = 1 << 24;

    ScanDriver(OutboxStore store) {
        this(store, store.forRelay(Ordering.PER_KEY).openScan());
    }

    ScanDriver(OutboxStore store, LaneScan scan) {
        this.store = store;
        this.scan = scan;
    }

    /** Over all lanes, from their heads. */
    static ScanDriver ofAllLanes(OutboxStore store) {
        ScanDriver driver = new ScanDriver(store);
        for (int lane = 0; lane < store.laneCount(); lane++) {
            driver.add(lane, Optional.empty());
        }
        return driver;
    }

    ScanDriver limitedTo(int rows, long bytes) {
        this.maxRows = rows;
        this.maxBytes = bytes;
        return this;
    }

    ScanDriver excluding(String... topics) {
        this.excludedTopics = Set.of(topics);
        return this;
    }

    void add(int lane, Optional<String> position) {
        lanes.add(lane);
        scan.add(new TakenLane(new Lease(lane, "driver", 1), position));
    }

    LaneScan scan() {
        return scan;
    }

    Fetched fetch() {
        Fetched fetched = scan.fetch(new FetchRequest(lanes, this, excludedTopics, maxRows, maxBytes));
        if (fetched.newIncarnation()) {
            memory.clear();
        }
        for (OutboxRow row : fetched.rows()) {
            if (memory.put(row.seq(), row) != null) {
                throw new AssertionError("Row " + row.ref() + " was returned although it is known");
            }
            received.add(row);
        }
        return fetched;
    }

    /** Reads no lane. */
    Fetched fetchMoment() {
        return scan.fetch(new FetchRequest(Set.of(), this, excludedTopics, maxRows, maxBytes));
    }

    /** Fetches until there is nothing more. */
    List<OutboxRow> fetchAll() {
        List<OutboxRow> rows = new ArrayList<>();
        Fetched fetched;
        do {
            fetched = fetch();
            rows.addAll(fetched.rows());
        } while (fetched.more() || !fetched.rows().isEmpty());
        return rows;
    }

    /** The keys of what {@link #fetchAll} returns, in order. */
    List<String> fetchKeys() {
        return keys(fetchAll());
    }

    static List<String> keys(List<? extends OutboxRow> rows) {
        return rows.stream().map(row -> row.key().orElse("-")).toList();
    }

    List<OutboxRow> received() {
        return received;
    }

    /** Deletes everything in memory. */
    void settle() {
        store.forRelay(Ordering.PER_KEY).deleteDelivered(refs());
        memory.clear();
    }

    List<RowRef> refs() {
        return memory.values().stream().map(OutboxRow::ref).toList();
    }

    /** Loses the memory, as a crash does. */
    void forget() {
        memory.clear();
    }

    Optional<String> position(int lane) {
        return scan.position(lane, lowestUnsettled(lane));
    }

    private long lowestUnsettled(int lane) {
        return memory.values().stream()
                .filter(row -> row.lane() == lane)
                .mapToLong(OutboxRow::seq)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public boolean contains(int lane, long seq) {
        return memory.containsKey(seq);
    }

    @Override
    public long[] seqs(int lane) {
        return memory.values().stream()
                .filter(row -> row.lane() == lane)
                .mapToLong(OutboxRow::seq)
                .toArray();
    }
}
