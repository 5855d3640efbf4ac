package dev.postrider.store.existing;

import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import java.time.Duration;
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
 * <p>After a restart all that is tried anew. Bounded: of very many the oldest are forgotten. Thread-safe.
 */
final class FailureMemory {

    private static final int MOST = 10_000;

    private final boolean remembersRetries;
    private final boolean remembersDead;
    private final boolean remembersBlocks;
    private final Map<RowKey, Entry> entries = new LinkedHashMap<>();

    FailureMemory(Rows rows) {
        this.remembersRetries = rows.remembersRetries();
        this.remembersDead = rows.remembersDead();
        this.remembersBlocks = rows.remembersBlocks();
    }

    synchronized void note(Taken taken, Outcome outcome) {
        if (outcome instanceof RowOutcome.RetryLater failed && !remembersRetries) {
            put(taken, new Entry(taken.head(), failed.attempts(), dueAt(failed.delay()), outcome));
        } else if (outcome instanceof RowOutcome.Blocked blocked && !remembersBlocks) {
            put(taken, new Entry(taken.head(), blocked.attempts(), 0, outcome));
        } else if (outcome instanceof RowOutcome.Dead dead && !remembersDead) {
            put(taken, new Entry(taken.head(), dead.attempts(), 0, outcome));
        } else {
            entries.remove(taken.key());
        }
    }

    private static long dueAt(Duration delay) {
        return System.nanoTime() + delay.toNanos();
    }

    private void put(Taken taken, Entry entry) {
        entries.put(taken.key(), entry);
        if (entries.size() > MOST) {
            Iterator<RowKey> oldest = entries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Rows not to be tried now. */
    synchronized List<RowKey> waiting() {
        List<RowKey> waiting = new ArrayList<>();
        entries.forEach((key, entry) -> {
            if (entry.isWaiting()) {
                waiting.add(key);
            }
        });
        return waiting;
    }

    /** Whether anything keeps what comes after it from being sent, where all is one queue. */
    synchronized boolean isBlockingAll() {
        return entries.values().stream().anyMatch(Entry::isHoldingBack);
    }

    /** Keys of which nothing may be sent: a message of theirs waits. */
    synchronized Set<String> waitingKeys() {
        Set<String> keys = new HashSet<>();
        entries.values().stream()
                .filter(Entry::isHoldingBack)
                .forEach(entry -> entry.head().messageKey().ifPresent(keys::add));
        return keys;
    }

    /** Forgets what waits for an operator, of this key or all. */
    synchronized List<RowKey> unblock(Optional<String> key) {
        List<RowKey> unblocked = entries.entrySet().stream()
                .filter(entry -> entry.getValue().outcome() instanceof RowOutcome.Blocked)
                .filter(entry ->
                        key.isEmpty() || entry.getValue().head().messageKey().equals(key))
                .map(Map.Entry::getKey)
                .toList();
        unblocked.forEach(entries::remove);
        return unblocked;
    }

    synchronized int attempts(Head head) {
        Entry entry = entries.get(head.key());
        return entry == null ? head.attempts() : Math.max(entry.attempts(), head.attempts());
    }

    synchronized List<Entry> dead() {
        return entries.values().stream()
                .filter(entry -> entry.dead().isPresent())
                .toList();
    }

    synchronized long waitingCount() {
        return entries.values().stream().filter(entry -> entry.dead().isEmpty()).count();
    }

    synchronized boolean forget(RowKey key) {
        return entries.remove(key) != null;
    }

    /** A failed row. */
    record Entry(Head head, int attempts, long dueAt, Outcome outcome) {
        boolean isWaiting() {
            return !(outcome instanceof RowOutcome.RetryLater) || dueAt - System.nanoTime() > 0;
        }

        boolean isHoldingBack() {
            return isWaiting() && dead().isEmpty();
        }

        Optional<RowOutcome.Dead> dead() {
            return outcome instanceof RowOutcome.Dead dead ? Optional.of(dead) : Optional.empty();
        }
    }
}
