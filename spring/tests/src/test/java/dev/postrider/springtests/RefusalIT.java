package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.NoTransactionException;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.spring.TransactionObserver;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Where there is no transaction to write in, nothing is written, and the error says what to do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusalIT {

    private final Shop shop = Shop.open();
    private final Shop other = Shop.open();
    private final SpringOutbox outbox =
            SpringOutbox.builder(shop.outbox, shop.pool).build();
    private final JdbcTransactionManager manager = observed(new JdbcTransactionManager(shop.pool));
    private final TransactionTemplate transaction = new TransactionTemplate(manager);

    private static JdbcTransactionManager observed(JdbcTransactionManager manager) {
        new TransactionObserver().postProcessAfterInitialization(manager, "manager");
        return manager;
    }

    @AfterEach
    void nothingIsWritten() {
        assertThat(shop.deliveredKeys()).isEmpty();
    }

    @AfterAll
    void close() {
        shop.close();
        other.close();
    }

    @Test
    void outsideATransaction() {
        assertThat(refusal())
                .contains("in no transaction")
                .contains("@Transactional")
                .contains("TransactionTemplate");
    }

    @Test
    void whereTheTransactionIsSuspended() {
        TransactionTemplate suspended = template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        TransactionTemplate supports = template(TransactionDefinition.PROPAGATION_SUPPORTS);
        transaction.executeWithoutResult(status ->
                suspended.executeWithoutResult(inner -> assertThat(refusal()).contains("NOT_SUPPORTED")));
        supports.executeWithoutResult(inner -> assertThat(refusal()).contains("SUPPORTS"));
    }

    private TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    @Test
    void inATransactionOfAnotherManager() {
        TransactionTemplate wrong = new TransactionTemplate(new JdbcTransactionManager(other.pool));
        wrong.executeWithoutResult(status -> assertThat(refusal())
                .contains("not one on the data source of the outbox")
                .contains("transaction manager"));
        // A look at the data source binds a connection that nobody commits.
        wrong.executeWithoutResult(status -> {
            shop.orders();
            assertThat(refusal()).contains("not one on the data source of the outbox");
        });
    }

    /** Nothing tells such a connection from one in a transaction. */
    @Test
    void inATransactionOfAnotherManagerWhereThePoolDisablesAutoCommit() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(shop.pool.getDataSource());
            pool.setAutoCommit(false);
            SpringOutbox outbox = SpringOutbox.builder(shop.outbox, pool).build();
            TransactionTemplate wrong = new TransactionTemplate(new JdbcTransactionManager(other.pool));
            assertThat(refusal(outbox)).contains("in no transaction");
            wrong.executeWithoutResult(status -> {
                new JdbcTemplate(pool).queryForObject("SELECT 1", Integer.class);
                assertThat(refusal(outbox)).contains("not one on the data source of the outbox");
            });
        }
    }

    @Test
    void inAReadOnlyTransaction() {
        TransactionTemplate readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(
                status -> assertThat(refusal()).contains("read-only").contains("REQUIRES_NEW"));
    }

    @Test
    void afterTheCommit() {
        AtomicReference<String> afterCommit = new AtomicReference<>();
        AtomicReference<String> afterCompletion = new AtomicReference<>();
        transaction.executeWithoutResult(status -> {
            shop.orders();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    afterCommit.set(refusal());
                }

                @Override
                public void afterCompletion(int result) {
                    afterCompletion.set(refusal());
                }
            });
        });
        assertThat(afterCommit.get())
                .contains("has ended")
                .contains("BEFORE_COMMIT")
                .contains("REQUIRES_NEW");
        assertThat(afterCompletion.get()).isEqualTo(afterCommit.get());
    }

    /** A transaction of another manager shares the synchronizations of the one that has committed. */
    @Test
    void butNotInANewTransactionAfterTheCommit() {
        SpringOutbox there = SpringOutbox.builder(other.outbox, other.pool).build();
        TransactionTemplate otherTransaction =
                new TransactionTemplate(observed(new JdbcTransactionManager(other.pool)));
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        otherTransaction.executeWithoutResult(inner -> there.enqueue(other.message("late", "x")));
                    }
                }));
        assertThat(other.deliveredKeys()).containsExactly("late");
    }

    private String refusal() {
        return refusal(outbox);
    }

    private String refusal(SpringOutbox outbox) {
        Throwable refusal = catchThrowable(() -> outbox.enqueue(shop.message("refused", "x")));
        assertThat(refusal).isInstanceOf(NoTransactionException.class);
        return refusal.getMessage();
    }
}
