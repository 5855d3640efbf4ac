package dev.postrider.store.mysql;

import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Scans for tests that do not care how they work. */
final class TestScans {

    private static final KnownRows NOTHING = new KnownRows() {
        @Override
        public boolean contains(int lane, long seq) {
            return false;
        }

        @Override
        public long[] seqs(int lane) {
            return new long[0];
        }
    };

    private TestScans() {}

    /** What a new scan of all lanes returns at first. */
    static List<OutboxRow> readAll(OutboxStore store) {
        Set<Integer> lanes = IntStream.range(0, store.laneCount()).boxed().collect(Collectors.toSet());
        LaneScan scan = store.forRelay(Ordering.PER_KEY).openScan();
        lanes.forEach(lane -> scan.add(new TakenLane(new Lease(lane, "test", 1), Optional.empty())));
        return scan.fetch(new FetchRequest(lanes, NOTHING, Set.of(), 10_000, 64 << 20))
                .rows();
    }
}
