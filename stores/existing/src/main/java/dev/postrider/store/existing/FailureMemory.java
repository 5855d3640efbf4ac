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
    private final Map<RowKey, FailedRow> failed = new LinkedHashMap<>();

    FailureMemory(Rows rows) {
        this.remembersRetries = rows.remembersRetries();
        this.remembersDead = rows.remembersDead();
        this.remembersBlocks = rows.remembersBlocks();
    }

    synchronized void note(Taken taken, Outcome outcome) {
        if (outcome instanceof Failure failure && !isInTable(failure)) {
            Optional<Long> dueAt = failure.retryIn().map(delay -> System.nanoTime() + delay.toNanos());
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
            if (row.isWaiting()) {
                waiting.add(key);
            }
        });
        return waiting;
    }

    /** Whether anything keeps what comes after it from being sent, where all is one queue. */
    synchronized boolean isBlockingAll() {
        return failed.values().stream().anyMatch(FailedRow::isHoldingBack);
    }

    /** Keys whose messages may not be sent, because one of them waits. */
    synchronized Set<String> waitingKeys() {
        Set<String> keys = new HashSet<>();
        failed.values().stream()
                .filter(FailedRow::isHoldingBack)
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

    synchronized boolean forget(RowKey key) {
        return failed.remove(key) != null;
    }

    /**
     * A failed row.
     *
     * @param dueAt when to try it again, in nanoseconds of the monotonic clock
     */
    record FailedRow(Head head, Failure failure, Optional<Long> dueAt) {
        boolean isWaiting() {
            return dueAt.filter(at -> at - System.nanoTime() <= 0).isEmpty();
        }

        boolean isHoldingBack() {
            return isWaiting() && dead().isEmpty();
        }

        boolean isBlocked() {
            return dueAt.isEmpty() && dead().isEmpty();
        }

        Optional<RowOutcome.Dead> dead() {
            return failure instanceof RowOutcome.Dead dead ? Optional.of(dead) : Optional.empty();
        }
    }
}
