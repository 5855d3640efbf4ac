package dev.postrider.store.mysql;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A scan of some lanes under a clock that the test moves, with the memory that a relay would have. */
final class ScanSession implements KnownRows {

    private static final String OWNER = "relay";

    private final TestStore store;
    private final LaneScan scan;
    private final Set<Integer> lanes;
    private final Map<Long, RowRef> known = new HashMap<>();
    private Set<String> excluded = Set.of();
    private long nanos = TimeUnit.DAYS.toNanos(1);

    ScanSession(TestStore store, Set<Integer> lanes) {
        this(store, lanes, Optional.empty());
    }

    /** One that goes on where another stood. */
    ScanSession(TestStore store, Set<Integer> lanes, Optional<String> position) {
        this.store = store;
        this.lanes = lanes;
        this.scan = store.scan(() -> nanos);
        lanes.forEach(lane -> scan.add(new TakenLane(new Lease(lane, OWNER, 1), position)));
    }

    LaneScan scan() {
        return scan;
    }

    void exclude(String... topics) {
        excluded = Set.of(topics);
    }

    Fetched fetch() {
        return fetch(lanes);
    }

    Fetched fetch(Set<Integer> some) {
        return fetch(some, 1000);
    }

    Fetched fetch(Set<Integer> some, int maxRows) {
        Fetched fetched = scan.fetch(new FetchRequest(some, this, excluded, maxRows, 1 << 20));
        fetched.rows().forEach(row -> known.put(row.seq(), row.ref()));
        return fetched;
    }

    /** Fetches, and settles everything at once. */
    List<MessageId> deliver() {
        List<MessageId> ids = fetch().rows().stream().map(OutboxRow::id).toList();
        settleAll();
        return ids;
    }

    void settleAll() {
        store.store().forRelay(Ordering.PER_KEY).deleteDelivered(List.copyOf(known.values()));
        known.clear();
    }

    /** What was in memory is lost, as after a crash of a worker. */
    void forget() {
        known.clear();
    }

    /** Lets the marks move as far as they can: rows are seen, become old enough, no wait can hide others, and they are passed. */
    void letMarksMove() {
        fetchFor(10);
    }

    /** A fetch every two seconds. */
    void fetchFor(int seconds) {
        for (int i = 0; i < seconds; i += 2) {
            passTime();
            fetch();
        }
    }

    void passTime() {
        nanos += TimeUnit.SECONDS.toNanos(2);
    }

    /** The seq that a next owner of the lane would start from. */
    long position(int lane) {
        long lowest = known.values().stream()
                .filter(row -> row.lane() == lane)
                .mapToLong(RowRef::seq)
                .min()
                .orElse(Long.MAX_VALUE);
        return scan.position(lane, lowest)
                .flatMap(ScanPosition::parse)
                .orElseThrow()
                .seq();
    }

    Optional<String> savedPosition(int lane) {
        return scan.position(lane, Long.MAX_VALUE);
    }

    long seqOf(OutboxMessage message) {
        return known.values().stream()
                .filter(row -> row.id().equals(message.id()))
                .findFirst()
                .orElseThrow()
                .seq();
    }

    @Override
    public boolean contains(int lane, long seq) {
        return known.containsKey(seq);
    }

    @Override
    public long[] seqs(int lane) {
        return known.values().stream()
                .filter(row -> row.lane() == lane)
                .mapToLong(RowRef::seq)
                .toArray();
    }
}
