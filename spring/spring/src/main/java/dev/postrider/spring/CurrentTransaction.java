package dev.postrider.spring;

import dev.postrider.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that Spring has begun on one data source for the calling thread. Thread-safe.
 *
 * <p>Asks before it looks at a connection: {@code DataSourceUtils} would hand out one that nobody commits, where there is no transaction.
 */
final class CurrentTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentTransaction.class);
    private static final TransactionDefinition MANDATORY =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY);

    private final DataSource dataSource;
    private final List<DataSource> layers;

    CurrentTransaction(DataSource dataSource) {
        this.dataSource = dataSource;
        this.layers = layers(dataSource);
    }

    /** The data source and those below it, as far as Spring's wrappers tell: each may be the one that the manager knows. */
    private static List<DataSource> layers(DataSource dataSource) {
        List<DataSource> layers = new ArrayList<>();
        DataSource layer = dataSource;
        while (layer != null) {
            layers.add(layer);
            layer = layer instanceof DelegatingDataSource wrapper ? wrapper.getTargetDataSource() : null;
        }
        return List.copyOf(layers);
    }

    boolean isOn(DataSource other) {
        return !Collections.disjoint(layers, layers(other));
    }

    /**
     * The data source by which the connection of the transaction is found.
     *
     * @throws NoTransactionException if there is no transaction to write in, with what to do about it
     */
    DataSource require() {
        requireAny();
        DataSource key = boundKey().orElseThrow(this::onAnotherDataSource);
        if (ObservedTransaction.hasCommitted(holder(key))) {
            throw ended();
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new NoTransactionException(
                    "The transaction is read-only. Remove readOnly = true from @Transactional, or write the message in a"
                            + " transaction of its own: @Transactional(propagation = Propagation.REQUIRES_NEW)");
        }
        return key;
    }

    private void requireAny() {
        boolean isActive = TransactionSynchronizationManager.isActualTransactionActive();
        boolean isSynchronized = TransactionSynchronizationManager.isSynchronizationActive();
        // After another listener's own transaction Spring forgets that this one was active, but its connection is still
        // bound.
        if (!isSynchronized && (isActive || layers.stream().anyMatch(TransactionSynchronizationManager::hasResource))) {
            throw ended();
        }
        if (!isActive) {
            throw new NoTransactionException("The thread is in no transaction"
                    + (isSynchronized ? ": its propagation is SUPPORTS or NOT_SUPPORTED. " : ". ")
                    + "Call this in a method with @Transactional, which another bean calls so that Spring sees the call, or use a"
                    + " TransactionTemplate. Transactions are bound to threads: one that you start yourself has none");
        }
    }

    private Optional<DataSource> boundKey() {
        return layers.stream()
                .filter(CurrentTransaction::isManaged)
                .findFirst()
                .or(() -> TransactionSynchronizationManager.getResourceMap().keySet().stream()
                        .filter(key -> key instanceof DataSource other && isOn(other) && isManaged(other))
                        .map(DataSource.class::cast)
                        .findFirst());
    }

    /** Whether a transaction manager has bound a connection: a mere look at a data source binds one too. */
    private static boolean isManaged(DataSource key) {
        if (!(TransactionSynchronizationManager.getResource(key) instanceof ConnectionHolder holder)) {
            return false;
        }
        // The managers of JPA and Hibernate leave the mark to the holder of the session.
        return !holder.isSynchronizedWithTransaction() || isManagedByJdbc(key);
    }

    /** Spring keeps the mark to itself, but answers this. Nothing begins, so there is nothing to end. */
    private static boolean isManagedByJdbc(DataSource key) {
        try {
            DataSourceTransactionManager question = new DataSourceTransactionManager(key);
            question.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
            question.getTransaction(MANDATORY);
            return true;
        } catch (IllegalTransactionStateException none) {
            return false;
        }
    }

    private static ConnectionHolder holder(DataSource key) {
        if (TransactionSynchronizationManager.getResource(key) instanceof ConnectionHolder holder) {
            return holder;
        }
        throw new IllegalStateException("The transaction has lost its connection");
    }

    private NoTransactionException onAnotherDataSource() {
        return new NoTransactionException("The transaction is not one on the data source of the outbox (" + dataSource
                + "), so the message would not share its fate. Name the right transaction manager, as in"
                + " @Transactional(\"ordersTransactionManager\"), or give the outbox the data source of this one");
    }

    private static NoTransactionException ended() {
        NoTransactionException refusal = new NoTransactionException(
                "The transaction has ended: this code runs after its commit or rollback, so the message would be lost."
                        + " Enqueue inside the transaction, for example with @EventListener or"
                        + " @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT), or in a new one:"
                        + " @Transactional(propagation = Propagation.REQUIRES_NEW)");
        // Spring logs and forgets what is thrown there, so the stack that leads here is shown in any case.
        LOG.error("A message was refused, and is not sent", refusal);
        return refusal;
    }

    /** Runs with the connection of the transaction, which stays open. */
    <T> T withConnection(Function<Connection, T> work) {
        DataSource key = require();
        Connection connection = DataSourceUtils.getConnection(key);
        try {
            if (isAutoCommit(connection)) {
                throw ended();
            }
            return work.apply(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, key);
        }
    }

    private static boolean isAutoCommit(Connection connection) {
        try {
            return connection.getAutoCommit();
        } catch (SQLException failure) {
            throw new NoTransactionException("The connection does not say whether it is in a transaction: " + failure);
        }
    }
}
