package dev.postrider.spring;

import dev.postrider.Inbox;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * The inbox in Spring's transactions: work on a message and the record that it was handled are committed together.
 *
 * <p>The effects of the work in that database happen once, however often the message arrives. Thread-safe.
 *
 * <pre>{@code
 * inbox.process("billing", message, () -> invoices.save(invoice));
 * }</pre>
 */
public final class SpringInbox {

    private final Inbox inbox;
    private final CurrentTransaction transaction;
    private final PlatformTransactionManager transactions;

    private SpringInbox(Inbox inbox, DataSource dataSource, PlatformTransactionManager transactions) {
        this.inbox = Objects.requireNonNull(inbox, "inbox");
        this.transaction = new CurrentTransaction(Objects.requireNonNull(dataSource, "dataSource"));
        this.transactions = Objects.requireNonNull(transactions, "transactions");
    }

    /**
     * An inbox in this database.
     *
     * @param dataSource where the inbox is
     * @param transactions begins transactions on that data source, by JDBC, JPA or Hibernate
     */
    public static SpringInbox of(Inbox inbox, DataSource dataSource, PlatformTransactionManager transactions) {
        return new SpringInbox(inbox, dataSource, transactions);
    }

    /**
     * Runs the work unless this consumer has handled the message before, in the transaction of the caller or else in a new one. Whatever the
     * work throws rolls the transaction back and is thrown on unchanged.
     *
     * @param consumer who handles the message; another consumer handles the same message for itself
     * @return whether the work was run; false for a duplicate
     */
    public <E extends Exception> boolean process(String consumer, OutboxMessage message, Work<E> work) throws E {
        TransactionStatus status = transactions.getTransaction(new DefaultTransactionDefinition());
        boolean isNew;
        try {
            isNew = record(consumer, message, work);
        } catch (Throwable failure) {
            rollBack(status, failure);
            throw failure;
        }
        transactions.commit(status);
        return isNew;
    }

    private <E extends Exception> boolean record(String consumer, OutboxMessage message, Work<E> work) throws E {
        DataSource key = transaction.require();
        Connection connection = DataSourceUtils.getConnection(key);
        try {
            return inbox.process(connection, consumer, message, same -> work.run());
        } finally {
            DataSourceUtils.releaseConnection(connection, key);
        }
    }

    private void rollBack(TransactionStatus status, Throwable failure) {
        try {
            transactions.rollback(status);
        } catch (RuntimeException | Error second) {
            failure.addSuppressed(second);
        }
    }

    /** Work on a message. */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        void run() throws E;
    }
}
