package dev.postrider.store.status;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.status.Claims.TakenBatch;
import dev.postrider.store.status.Claims.TakenRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an existing table from its head each time: what was taken is no longer there, or is passed over.
 *
 * <p>Where a window leaves out old partitions, a slow full look finds what is older.
 */
final class ExistingScan implements LaneScan {

    private final StoreParts parts;
    private final Set<Integer> lanes = new HashSet<>();
    private long fullLookAt = System.nanoTime();
    private int turn;

    ExistingScan(StoreParts parts) {
        this.parts = parts;
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

    /** Nothing to do: every fetch starts at the head. */
    @Override
    public void restart(int lane) {}

    @Override
    public void retain(KnownRows known) {
        parts.claims().giveBack(parts.taken().unknown(lanes, known));
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        retain(request.known());
        boolean isBlocked =
                parts.ordering().get() == Ordering.GLOBAL && parts.shelf().isBlockingAll();
        if (request.lanes().isEmpty() || isBlocked || !parts.claims().mayTake(lanes)) {
            return new Fetched(List.of(), false, false, Instant.now());
        }
        boolean isFull = isTimeForFullLook();
        TakenBatch batch = parts.claims().take(nextLane(request.lanes()), find(request, isFull), request.maxBytes());
        if (isFull && !batch.isMore()) {
            fullLookAt = System.nanoTime() + parts.fullLookInterval().toNanos();
        }
        Instant time = batch.rows().isEmpty()
                ? Instant.now()
                : batch.rows().get(0).row().head().databaseTime();
        return new Fetched(batch.rows().stream().map(this::row).toList(), batch.isMore(), false, time);
    }

    private boolean isTimeForFullLook() {
        return parts.fullLookInterval().isZero() || System.nanoTime() - fullLookAt >= 0;
    }

    private int nextLane(Set<Integer> among) {
        List<Integer> sorted = among.stream().sorted().toList();
        return sorted.get(Math.floorMod(turn++, sorted.size()));
    }

    private Find find(FetchRequest request, boolean isFull) {
        Ordering ordering = parts.ordering().get();
        return new Find(
                request.maxRows(),
                request.excludedTopics(),
                ordering,
                parts.shelf().waiting(),
                ordering == Ordering.NONE ? Set.of() : parts.shelf().waitingKeys(),
                true,
                isFull);
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
                        parts.shelf().attempts(one.head())))
                .orElseGet(() -> new OutboxRow.Unreadable(
                        one.ref(),
                        key,
                        one.head().createdAt(),
                        KeyState.FREE,
                        taken.row().problem()));
    }

    /** Nothing to prove: every fetch reads from the head. */
    @Override
    public long[] sweep(int lane, long afterSeq, Duration minAge, int limit) {
        return new long[0];
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        return Optional.empty();
    }
}
