package dev.postrider.spring;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One transaction from its begin: its connections, and whether it has committed.
 *
 * <p>A transaction of another manager that begins inside shares Spring's list of synchronizations, and may begin after the commit of the
 * outer one. So connections are told apart.
 */
final class ObservedTransaction implements TransactionSynchronization {

    private final Set<ConnectionHolder> holders = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean hasCommitted;

    private ObservedTransaction() {}

    static ObservedTransaction begun() {
        ObservedTransaction transaction = new ObservedTransaction();
        TransactionSynchronizationManager.getResourceMap().values().forEach(resource -> {
            if (resource instanceof ConnectionHolder holder) {
                transaction.holders.add(holder);
            }
        });
        return transaction;
    }

    /** Whether the transaction on this connection is known to have committed. */
    static boolean hasCommitted(ConnectionHolder holder) {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .anyMatch(each -> each instanceof ObservedTransaction transaction
                        && transaction.hasCommitted
                        && transaction.holders.contains(holder));
    }

    /** Before all others, so that they see it. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        hasCommitted = true;
    }
}
