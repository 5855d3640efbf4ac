package dev.postrider.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Notices at every transaction of the application when it has committed. Without it, Spring does not tell that apart within a
 * {@code TransactionSynchronization.afterCommit}: the connection is still bound, and what is written on it belongs to no transaction.
 *
 * <p>Makes itself known to all transaction managers that are beans. Thread-safe.
 */
public final class TransactionObserver implements BeanPostProcessor, TransactionExecutionListener {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(this);
        }
        return bean;
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null
                && transaction.isNewTransaction()
                && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(ObservedTransaction.begun());
        }
    }
}
