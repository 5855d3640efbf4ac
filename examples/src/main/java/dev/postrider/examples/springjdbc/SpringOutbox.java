package dev.postrider.examples.springjdbc;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The outbox on the connection of Spring's current transaction; the relay is woken when it has committed. */
public final class SpringOutbox {

    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    public SpringOutbox(JdbcTemplate jdbc, Outbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    /**
     * Inserts at once, in the caller's transaction.
     *
     * @throws IllegalStateException if there is none
     */
    public void enqueue(OutboxMessage message) {
        // Registered first: without a transaction this refuses, before anything is written.
        TransactionSynchronizationManager.registerSynchronization(new WakeAfterCommit(outbox));
        ConnectionCallback<Object> insert = connection -> outbox.enqueue(connection, message);
        jdbc.execute(insert);
    }

    private record WakeAfterCommit(Outbox outbox) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            outbox.wake();
        }
    }
}
