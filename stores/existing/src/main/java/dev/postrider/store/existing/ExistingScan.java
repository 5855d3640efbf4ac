package dev.postrider.store.existing;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.existing.Claims.TakenBatch;
import dev.postrider.store.existing.Claims.TakenRow;
import dev.postrider.store.existing.RowQuery.Reach;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an existing table from its head each time: what was taken is no longer there, or is passed over.
 *
 * <p>Where a window leaves out old partitions, a look back from time to time finds what is older: batch by batch until nothing is left,
 * in turns with looks into the window.
 */
final class ExistingScan implements LaneScan {

    private final StoreParts parts;
    private final Ordering ordering;
    private final Set<Integer> lanes = new HashSet<>();
    private long nextLookBackAt = System.nanoTime();
    private boolean isLookingBack;
    private int turn;

    ExistingScan(StoreParts parts, Ordering ordering) {
        this.parts = parts;
        this.ordering = ordering;
    }

    @Override
    public void add(TakenLane lane) {
        lanes.add(lane.lease().lane());
    }

    /** What is in flight may still be delivered, so it is remembered. */
    @Override
    public void remove(int lane) {
        lanes.remove(lane);
        parts.taken().orphan(parts.taken().of(lane));
        parts.claims().laneLost(lane);
    }

    @Override
    public void retain(KnownRows known) {
        parts.claims().giveBack(parts.taken().unknown(lanes, known));
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        retain(request.known());
        boolean isBlocked = ordering == Ordering.GLOBAL && parts.failures().isBlockingAll();
        if (request.lanes().isEmpty() || isBlocked || !parts.claims().mayTake(lanes)) {
            return new Fetched(List.of(), false, false, Instant.now());
        }
        TakenBatch batch = look(request);
        Instant time = batch.rows().isEmpty()
                ? Instant.now()
                : batch.rows().get(0).row().head().databaseTime();
        return new Fetched(batch.rows().stream().map(this::row).toList(), batch.isMore(), false, time);
    }

    /** The lanes take turns; one may get nothing while another has work. */
    private TakenBatch look(FetchRequest request) {
        TakenBatch batch = TakenBatch.NONE;
        for (int tried = 0; tried < request.lanes().size() && batch.rows().isEmpty(); tried++) {
            TakenBatch found = look(request, nextLane(request.lanes()));
            batch = new TakenBatch(found.rows(), found.isMore() || batch.isMore());
        }
        return batch;
    }

    /** Where an order is kept, every look reaches back: an older row of a key must not be left to a later one. */
    private TakenBatch look(FetchRequest request, int lane) {
        if (parts.fullLookInterval().isZero() || ordering != Ordering.NONE) {
            return take(request, lane, Reach.ALL);
        }
        boolean isTime = System.nanoTime() - nextLookBackAt >= 0;
        isLookingBack = isTime && !isLookingBack;
        TakenBatch first = isLookingBack ? lookBack(request, lane) : take(request, lane, Reach.WINDOW);
        if (!isTime || !first.rows().isEmpty()) {
            return first;
        }
        return isLookingBack ? take(request, lane, Reach.WINDOW) : lookBack(request, lane);
    }

    private TakenBatch lookBack(FetchRequest request, int lane) {
        TakenBatch older = take(request, lane, Reach.BEYOND_WINDOW);
        if (older.rows().isEmpty()) {
            nextLookBackAt = System.nanoTime() + parts.fullLookInterval().toNanos();
        }
        return older;
    }

    private TakenBatch take(FetchRequest request, int lane, Reach reach) {
        return parts.claims().take(lane, find(request, reach), request.maxBytes());
    }

    private int nextLane(Set<Integer> among) {
        List<Integer> sorted = among.stream().sorted().toList();
        return sorted.get(Math.floorMod(turn++, sorted.size()));
    }

    private RowQuery find(FetchRequest request, Reach reach) {
        // The keys first: a row that falls due between the two looks must not be left out alone, or the next of its key
        // passes it.
        Set<String> waitingKeys =
                ordering == Ordering.NONE ? Set.of() : parts.failures().waitingKeys();
        return new RowQuery(
                request.maxRows(),
                request.excludedTopics(),
                ordering,
                parts.failures().waiting(),
                waitingKeys,
                reach);
    }

    private OutboxRow row(TakenRow taken) {
        Taken one = taken.taken();
        Optional<String> key = taken.row().message().flatMap(message -> message.key());
        return taken.row()
                .message()
                .<OutboxRow>map(message -> new OutboxRow.Hot(
                        one.ref(),
                        message,
                        one.head().createdAt(),
                        KeyState.FREE,
                        parts.failures().attempts(one.head())))
                .orElseGet(() -> new OutboxRow.Unreadable(
                        one.ref(),
                        key,
                        one.head().createdAt(),
                        KeyState.FREE,
                        taken.row().problem()));
    }
}
