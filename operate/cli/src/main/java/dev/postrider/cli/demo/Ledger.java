package dev.postrider.cli.demo;

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What the order service knows of its own transactions: the truth that deliveries are compared with. Thread-safe. */
final class Ledger {

    private final Queue<CommittedEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger eventCount = new AtomicInteger();
    private final AtomicInteger transactions = new AtomicInteger();
    private final AtomicInteger rollbacks = new AtomicInteger();
    private final AtomicInteger savepointRollbacks = new AtomicInteger();

    void committed(List<CommittedEvent> written) {
        events.addAll(written);
        eventCount.addAndGet(written.size());
        transactions.incrementAndGet();
    }

    void rolledBack() {
        rollbacks.incrementAndGet();
    }

    void rolledBackToSavepoint() {
        savepointRollbacks.incrementAndGet();
    }

    Collection<CommittedEvent> events() {
        return List.copyOf(events);
    }

    int eventCount() {
        return eventCount.get();
    }

    int transactionCount() {
        return transactions.get();
    }

    int rollbackCount() {
        return rollbacks.get();
    }

    int savepointRollbackCount() {
        return savepointRollbacks.get();
    }
}
