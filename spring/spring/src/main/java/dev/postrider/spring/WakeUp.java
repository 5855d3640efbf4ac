package dev.postrider.spring;

import dev.postrider.Outbox;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Wakes the relays of this process once a transaction has ended; one for each transaction and outbox. */
record WakeUp(Outbox outbox) implements TransactionSynchronization {

    /** In the transaction that is active on this thread. Spring keeps a set of them, so an equal one is not added. */
    static void register(Outbox outbox) {
        TransactionSynchronizationManager.registerSynchronization(new WakeUp(outbox));
    }

    @Override
    public void afterCommit() {
        outbox.wake();
    }

    /** A transaction of another manager, which shares these synchronizations, may have committed inside one that did not. */
    @Override
    public void afterCompletion(int status) {
        if (status != STATUS_COMMITTED) {
            outbox.wake();
        }
    }
}
