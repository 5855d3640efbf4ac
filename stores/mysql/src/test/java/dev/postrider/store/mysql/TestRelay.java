package dev.postrider.store.mysql;

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
import dev.postrider.spi.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The smallest relay: delivers what it fetches at once, settles it a little later, and hands lanes over to another one with
 * their saved positions. Its thread runs {@link #step}.
 */
final class TestRelay implements KnownRows {

    private static final int PAGE = 100;

    private final OutboxStore store;
    private final LaneScan scan;
    private final Deliveries deliveries;
    private final Random random;
    private final Map<Integer, Map<Long, RowRef>> known = new HashMap<>();
    private final Queue<TakenLane> given = new ConcurrentLinkedQueue<>();
    private final Queue<TestRelay> wanting = new ConcurrentLinkedQueue<>();

    TestRelay(OutboxStore store, LaneScan scan, Deliveries deliveries, long seed) {
        this.store = store;
        this.scan = scan;
        this.deliveries = deliveries;
        this.random = new Random(seed);
    }

    void give(int lane) {
        give(lane, Optional.empty());
    }

    private void give(int lane, Optional<String> position) {
        given.add(new TakenLane(new Lease(lane, "relay", 1), position));
    }

    /** Asks for one lane of this relay, which hands it over in one of its next steps. */
    void giveALaneTo(TestRelay other) {
        wanting.add(other);
    }

    /** Returns how many rows were new. */
    int step() {
        takeGivenLanes();
        handOver();
        Fetched fetched = scan.fetch(new FetchRequest(Set.copyOf(known.keySet()), this, Set.of(), PAGE, 1 << 20));
        for (OutboxRow row : fetched.rows()) {
            known.get(row.lane()).put(row.seq(), row.ref());
            deliveries.add(row);
        }
        settleSome();
        return fetched.rows().size();
    }

    private void takeGivenLanes() {
        for (TakenLane lane = given.poll(); lane != null; lane = given.poll()) {
            scan.add(lane);
            known.put(lane.lease().lane(), new HashMap<>());
        }
    }

    private void handOver() {
        TestRelay other = wanting.poll();
        if (other == null || known.isEmpty()) {
            return;
        }
        List<Integer> lanes = List.copyOf(known.keySet());
        int lane = lanes.get(random.nextInt(lanes.size()));
        settle(known.get(lane).values().stream().toList());
        Optional<String> position = scan.position(lane, Long.MAX_VALUE);
        scan.remove(lane);
        known.remove(lane);
        other.give(lane, position);
    }

    private void settleSome() {
        List<RowRef> done = new ArrayList<>();
        known.values()
                .forEach(rows -> rows.values().stream()
                        .filter(row -> random.nextInt(3) > 0)
                        .forEach(done::add));
        settle(done);
    }

    private void settle(List<RowRef> rows) {
        store.forRelay(Ordering.PER_KEY).deleteDelivered(rows);
        rows.forEach(row -> known.get(row.lane()).remove(row.seq()));
    }

    /** Steps until nothing has come for this long after the deadline. Then lanes stay where they are: the other relay may have ended. */
    void run(long deadline, long quietNanos) throws InterruptedException {
        long quietSince = deadline;
        while (System.nanoTime() - quietSince < quietNanos) {
            boolean isOver = System.nanoTime() - deadline >= 0;
            if (isOver) {
                wanting.clear();
            }
            if (stepUnlessKilled() > 0 && isOver) {
                quietSince = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** What was not settled stays known, and is settled again. */
    private int stepUnlessKilled() {
        try {
            return step();
        } catch (StoreException failure) {
            if (!BusinessWriters.isKilled(failure)) {
                throw failure;
            }
            return 0;
        }
    }

    @Override
    public boolean contains(int lane, long seq) {
        return known.getOrDefault(lane, Map.of()).containsKey(seq);
    }

    @Override
    public long[] seqs(int lane) {
        return known.getOrDefault(lane, Map.of()).keySet().stream()
                .mapToLong(Long::longValue)
                .toArray();
    }
}
