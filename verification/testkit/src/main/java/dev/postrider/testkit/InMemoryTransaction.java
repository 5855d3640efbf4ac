package dev.postrider.testkit;

import dev.postrider.message.Due;
import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.InMemoryTables.DelayedRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer's transaction on the in-memory store. As in a real database, a message draws its seq when it is inserted and becomes
 * visible when the transaction commits, which may be in another order.
 */
public final class InMemoryTransaction {

    private final InMemoryTables tables;
    private final List<Runnable> effects = new ArrayList<>();
    private final List<String> dedupKeys = new ArrayList<>();

    InMemoryTransaction(InMemoryTables tables) {
        this.tables = tables;
    }

    /** Inserts messages; they are invisible until {@link #commit()}. Returns those that were inserted. */
    public List<OutboxMessage> enqueue(OutboxMessage... messages) {
        List<OutboxMessage> inserted = new ArrayList<>();
        synchronized (tables) {
            for (OutboxMessage message : messages) {
                if (message.dedupKey().isEmpty() || isNew(message.dedupKey().get())) {
                    insert(message);
                    inserted.add(message);
                }
            }
        }
        return inserted;
    }

    private boolean isNew(String dedupKey) {
        awaitOthersWith(dedupKey);
        if (tables.dedupKeys.containsKey(dedupKey) || dedupKeys.contains(dedupKey)) {
            return false;
        }
        dedupKeys.add(dedupKey);
        tables.claimedDedupKeys.put(dedupKey, this);
        return true;
    }

    /** As in a real database, waits for the end of another transaction that has claimed the key. */
    private void awaitOthersWith(String dedupKey) {
        try {
            while (tables.claimedDedupKeys.getOrDefault(dedupKey, this) != this) {
                tables.wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    "Interrupted while another transaction had the dedup key " + dedupKey, interrupted);
        }
    }

    private void insert(OutboxMessage message) {
        int lane = Lane.of(message, tables.lanes.size());
        Instant now = tables.now();
        if (message.due() instanceof Due.At at) {
            delay(message, lane, at.instant(), now);
        } else if (message.due() instanceof Due.After after) {
            delay(message, lane, now.plus(after.delay()), now);
        } else {
            RowRef ref = new RowRef(lane, tables.drawSeq(), message.id());
            effects.add(() -> tables.hot(lane).put(ref.seq(), new StoredRow(ref, message, now)));
        }
    }

    private void delay(OutboxMessage message, int lane, Instant dueAt, Instant now) {
        effects.add(() -> tables.delayed.add(new DelayedRow(message.id(), lane, dueAt, message, now)));
    }

    /** How much was done so far, to roll back to. */
    Point savepoint() {
        return new Point(effects.size(), dedupKeys.size());
    }

    void rollbackTo(Point savepoint) {
        synchronized (tables) {
            effects.subList(savepoint.effects(), effects.size()).clear();
            List<String> freed = dedupKeys.subList(savepoint.dedupKeys(), dedupKeys.size());
            freed.forEach(tables.claimedDedupKeys::remove);
            freed.clear();
            tables.notifyAll();
        }
    }

    /** Makes everything visible at once. */
    public void commit() {
        synchronized (tables) {
            effects.forEach(Runnable::run);
            dedupKeys.forEach(key -> tables.dedupKeys.put(key, tables.now()));
            rollback();
        }
    }

    /** Forgets everything; the seqs stay used. */
    public void rollback() {
        rollbackTo(new Point(0, 0));
    }

    /** A point in a transaction. */
    record Point(int effects, int dedupKeys) {}
}
