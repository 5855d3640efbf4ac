package dev.postrider.store.existing;

import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Failure;
import dev.postrider.spi.RowOutcome.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * What a table cannot remember of its failed rows, kept in this process: attempts, when to try again, and what was given up.
 *
 * <p>After a restart all that is tried again. Bounded: of very many the oldest are forgotten. Thread-safe.
 */
final class FailureMemory {

    private static final int MOST = 10_000;

    private final boolean remembersRetries;
    private final boolean remembersDead;
    private final boolean remembersBlocks;
    private final LongSupplier nanoTime;
    private final Map<RowKey, FailedRow> failed = new LinkedHashMap<>();

    FailureMemory(Rows rows) {
        this(rows, System::nanoTime);
    }

    /** @param nanoTime the monotonic clock */
    FailureMemory(Rows rows, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.remembersRetries = rows.remembersRetries();
        this.remembersDead = rows.remembersDead();
        this.remembersBlocks = rows.remembersBlocks();
    }

    synchronized void note(Taken taken, Outcome outcome) {
        if (outcome instanceof Failure failure && !isInTable(failure)) {
            Optional<Long> dueAt = failure.retryIn().map(delay -> nanoTime.getAsLong() + delay.toNanos());
            put(taken, new FailedRow(taken.head(), failure, dueAt));
        } else {
            failed.remove(taken.key());
        }
    }

    private boolean isInTable(Failure failure) {
        if (failure.heldFor().isEmpty()) {
            return remembersDead;
        }
        return failure.retryIn().isPresent() ? remembersRetries : remembersBlocks;
    }

    private void put(Taken taken, FailedRow row) {
        failed.put(taken.key(), row);
        if (failed.size() > MOST) {
            Iterator<RowKey> oldest = failed.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Rows not to be tried now. */
    synchronized List<RowKey> waiting() {
        List<RowKey> waiting = new ArrayList<>();
        failed.forEach((key, row) -> {
            if (row.isWaiting(nanoTime.getAsLong())) {
                waiting.add(key);
            }
        });
        return waiting;
    }

    /** Whether anything keeps what comes after it from being sent, where all is one queue. */
    synchronized boolean isBlockingAll() {
        long now = nanoTime.getAsLong();
        return failed.values().stream().anyMatch(row -> row.isHoldingBack(now));
    }

    /** Keys whose messages may not be sent, because one of them waits. */
    synchronized Set<String> waitingKeys() {
        Set<String> keys = new HashSet<>();
        long now = nanoTime.getAsLong();
        failed.values().stream()
                .filter(row -> row.isHoldingBack(now))
                .forEach(row -> row.head().messageKey().ifPresent(keys::add));
        return keys;
    }

    /** Forgets what waits for an operator, of this key or all. */
    synchronized List<RowKey> unblock(Optional<String> key) {
        List<RowKey> unblocked = failed.entrySet().stream()
                .filter(entry -> entry.getValue().isBlocked())
                .filter(entry ->
                        key.isEmpty() || entry.getValue().head().messageKey().equals(key))
                .map(Map.Entry::getKey)
                .toList();
        unblocked.forEach(failed::remove);
        return unblocked;
    }

    synchronized int attempts(Head head) {
        FailedRow row = failed.get(head.key());
        return row == null ? head.attempts() : Math.max(row.failure().attempts(), head.attempts());
    }

    synchronized List<FailedRow> dead() {
        return failed.values().stream().filter(row -> row.dead().isPresent()).toList();
    }

    synchronized long waitingCount() {
        return failed.values().stream().filter(row -> row.dead().isEmpty()).count();
    }

    /**
     * Forgets rows that another process has delivered or given up while it led: they would hold back their keys for ever.
     *
     * @param undelivered tells which of some rows are still to be delivered
     */
    void forgetUnless(UnaryOperator<List<RowKey>> undelivered) {
        List<RowKey> known;
        synchronized (this) {
            known = List.copyOf(failed.keySet());
        }
        if (!known.isEmpty()) {
            Set<RowKey> gone = new HashSet<>(known);
            undelivered.apply(known).forEach(gone::remove);
            gone.forEach(this::forget);
        }
    }

    synchronized boolean forget(RowKey key) {
        return failed.remove(key) != null;
    }

    /**
     * A failed row.
     *
     * @param dueAt when to try it again, in nanoseconds of the monotonic clock
     */
    record FailedRow(Head head, Failure failure, Optional<Long> dueAt) {
        boolean isWaiting(long now) {
            return dueAt.filter(at -> at - now <= 0).isEmpty();
        }

        boolean isHoldingBack(long now) {
            return isWaiting(now) && dead().isEmpty();
        }

        boolean isBlocked() {
            return dueAt.isEmpty() && dead().isEmpty();
        }

        Optional<RowOutcome.Dead> dead() {
            return failure instanceof RowOutcome.Dead dead ? Optional.of(dead) : Optional.empty();
        }
    }
}
