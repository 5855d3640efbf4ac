package dev.postrider.relay;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What the relay has asked of its store again and again, for longer than a lease, and never got. Told by failures alone: one
 * worker may fail for ever while another one works. Thread-safe.
 */
final class RepeatedFailures implements RelayListener {

    private final LongSupplier nanoTime;
    private final Duration lease;
    private final Map<StoreOperation, Series> series = new EnumMap<>(StoreOperation.class);

    RepeatedFailures(LongSupplier nanoTime, Duration lease) {
        this.nanoTime = nanoTime;
        this.lease = lease;
    }

    @Override
    public synchronized void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        long now = nanoTime.getAsLong();
        Series before = series.get(operation);
        series.put(operation, new Series(before == null || isOver(before, now) ? now : before.first(), now));
    }

    /** Every operation is tried again within seconds: without a failure for half a lease it works. */
    private boolean isOver(Series failures, long now) {
        return now - failures.last() > lease.toNanos() / 2;
    }

    /** The operation that has failed for longest, and since when. */
    synchronized Optional<String> longest() {
        long now = nanoTime.getAsLong();
        return series.entrySet().stream()
                .filter(each -> !isOver(each.getValue(), now))
                .filter(each -> now - each.getValue().first() >= lease.toNanos())
                .min(Map.Entry.comparingByValue((a, b) -> Long.signum(a.first() - b.first())))
                .map(each -> "the relay has failed to %s for %d s; the log says why"
                        .formatted(
                                each.getKey(),
                                Duration.ofNanos(now - each.getValue().first()).toSeconds()));
    }

    private record Series(long first, long last) {}
}
