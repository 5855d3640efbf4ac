package dev.postrider.spring.boot.test;

import dev.postrider.message.OutboxMessage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;

/** What one transaction of Spring writes; ended, and set back to savepoints, with it. Confined to its thread. */
final class MemoryTransaction implements TransactionSynchronization {

    private final TransactionalMemoryStore store;
    private final List<OutboxMessage> messages = new ArrayList<>();
    private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

    MemoryTransaction(TransactionalMemoryStore store) {
        this.store = store;
    }

    boolean isOf(TransactionalMemoryStore other) {
        return store == other;
    }

    List<OutboxMessage> messages() {
        return messages;
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, messages.size());
    }

    /** A savepoint from before the first message is not known here: everything came behind it. */
    @Override
    public void savepointRollback(Object savepoint) {
        messages.subList(savepoints.getOrDefault(savepoint, 0), messages.size()).clear();
    }

    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED) {
            store.commit(messages);
        }
    }
}
