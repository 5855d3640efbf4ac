package dev.postrider.spring.boot.test;

import dev.postrider.message.OutboxMessage;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import java.sql.Connection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The outbox of the test kit, with Spring's transactions in the place of its own. Thread-safe. */
final class TransactionalMemoryStore extends InMemoryOutboxStore {

    private final List<OutboxMessage> committed = new ArrayList<>();

    TransactionalMemoryStore(int lanes, Clock clock) {
        super(lanes, clock);
    }

    /** What was committed, and behind it what the transaction of this thread has written so far. */
    synchronized List<OutboxMessage> written() {
        List<OutboxMessage> all = new ArrayList<>(committed);
        current().ifPresent(transaction -> all.addAll(transaction.messages()));
        return all;
    }

    private Optional<MemoryTransaction> current() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                ? TransactionSynchronizationManager.getSynchronizations().stream()
                        .filter(MemoryTransaction.class::isInstance)
                        .map(MemoryTransaction.class::cast)
                        .filter(transaction -> transaction.isOf(this))
                        .findFirst()
                : Optional.empty();
    }

    synchronized void forget() {
        committed.clear();
    }

    /** One whose dedup key is known is left out when the transaction commits. */
    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        MemoryTransaction transaction = current().orElseGet(() -> {
            MemoryTransaction begun = new MemoryTransaction(this);
            TransactionSynchronizationManager.registerSynchronization(begun);
            return begun;
        });
        transaction.messages().addAll(messages);
        return messages;
    }

    synchronized void commit(List<OutboxMessage> messages) {
        InMemoryTransaction transaction = begin();
        committed.addAll(transaction.enqueue(messages.toArray(OutboxMessage[]::new)));
        transaction.commit();
    }
}
