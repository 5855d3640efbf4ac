package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spring.SpringOutbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Entities are written before the message, so that the row of a key is locked when its message gets its number. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JpaOutboxIT {

    private final Shop shop = Shop.open();
    private final JpaSetup jpa = new JpaSetup(shop.pool);
    private final SpringOutbox outbox =
            SpringOutbox.builder(shop.outbox, shop.pool).build();
    private int before;

    @BeforeEach
    void anOrder() {
        before = shop.delivered().size();
        shop.jdbc.update("DELETE FROM orders");
        shop.insertOrder("o");
    }

    @AfterAll
    void close() {
        jpa.close();
        shop.close();
    }

    private List<String> delivered() {
        List<OutboxMessage> all = shop.delivered();
        return all.subList(before, all.size()).stream()
                .map(message -> new String(message.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void sendsWhatIsCommittedAndNothingThatIsRolledBack() {
        jpa.inTransaction(entities -> {
            entities.persist(new OrderRow("a", "new"));
            enqueue("a", "placed");
        });
        new TransactionTemplate(jpa.manager).executeWithoutResult(status -> {
            jpa.entities.persist(new OrderRow("b", "new"));
            enqueue("b", "rolled back");
            status.setRollbackOnly();
        });

        assertThat(shop.orders()).containsExactly("a", "o");
        assertThat(delivered()).containsExactly("\"placed\"");
    }

    /**
     * The first transaction enqueues, then the second changes the same order and tries to commit, then the first commits. The order of
     * messages must be the order in which the row was changed.
     */
    @Test
    void keepsTheOrderOfAKeyUnderRacingTransactions() throws Exception {
        race(outbox);

        assertThat(delivered()).last().isEqualTo("\"" + status() + "\"");
    }

    /** What the flush is for: without it the message that was last is not the change that was last. */
    @Test
    void wouldBreakTheOrderWithoutTheFlush() throws Exception {
        race(SpringOutbox.builder(shop.outbox, shop.pool).flushJpa(false).build());

        assertThat(delivered()).last().isNotEqualTo("\"" + status() + "\"");
    }

    private void race(SpringOutbox outbox) throws Exception {
        AtomicReference<CompletableFuture<Void>> second = new AtomicReference<>();
        jpa.inTransaction(entities -> {
            entities.find(OrderRow.class, "o").setStatus("first");
            outbox.enqueue(shop.message("o", "first"));
            second.set(CompletableFuture.runAsync(() -> jpa.inTransaction(theirs -> {
                theirs.find(OrderRow.class, "o").setStatus("second");
                outbox.enqueue(shop.message("o", "second"));
            })));
            // It has committed, or it waits for the lock of the first.
            Eventually.holds(() -> second.get().isDone() || isAnyoneWaiting());
        });
        second.get().get(30, TimeUnit.SECONDS);
    }

    private boolean isAnyoneWaiting() {
        try (var connection = shop.pool.getDataSource().getConnection();
                var rows = connection
                        .createStatement()
                        .executeQuery("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                + " AND datname = current_database()")) {
            rows.next();
            return rows.getInt(1) > 0;
        } catch (java.sql.SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String status() {
        return shop.jdbc.queryForObject("SELECT status FROM orders WHERE id = 'o'", String.class);
    }

    @Test
    void doesNotFlushWhileAFlushIsRunning() {
        jpa.inTransaction(entities -> {
            OrderRow order = entities.find(OrderRow.class, "o");
            order.setStatus("changed");
            order.onCallback(phase -> enqueue("o", phase));
        });
        assertThat(delivered()).containsExactly("\"before\"", "\"after\"");
        assertThat(status()).isEqualTo("changed");
    }

    /** These callbacks run in persist(), and no flush is running. */
    @Test
    void writesInCallbacksOfAnEntityThatIsInsertedAtOnce() {
        shop.jdbc.execute(
                "CREATE TABLE IF NOT EXISTS notes (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text TEXT)");
        jpa.inTransaction(entities -> {
            entities.find(OrderRow.class, "o").setStatus("noted");
            entities.persist(new NoteRow("a", phase -> enqueue("o", phase)));
            entities.persist(new NoteRow("b", phase -> enqueue("o", phase)));
        });
        assertThat(delivered()).containsExactly("\"before a\"", "\"after a\"", "\"before b\"", "\"after b\"");
        assertThat(shop.jdbc.queryForList("SELECT text FROM notes ORDER BY id", String.class))
                .containsExactly("a", "b");
        assertThat(status()).isEqualTo("noted");
    }

    @Test
    void refusesWhereTheUserFlushesByHandAndNamesTheChoice() {
        jpa.inTransaction(entities -> {
            entities.unwrap(Session.class).setHibernateFlushMode(FlushMode.MANUAL);
            assertThatThrownBy(() -> enqueue("o", "refused"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("MANUAL")
                    .hasMessageContaining("flushJpa(false)");
            SpringOutbox byHand =
                    SpringOutbox.builder(shop.outbox, shop.pool).flushJpa(false).build();
            assertThatCode(() -> byHand.enqueue(shop.message("o", "by hand"))).doesNotThrowAnyException();
        });
        assertThat(delivered()).containsExactly("\"by hand\"");
    }

    @Test
    void throwsWhatTheFlushThrowsAsSpringDoes() {
        assertThatThrownBy(() -> jpa.inTransaction(entities -> {
                    entities.persist(new OrderRow("o", "twice"));
                    enqueue("o", "refused");
                }))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(delivered()).isEmpty();
    }

    @Test
    void leavesThePersistenceContextOfAnotherDataSourceAlone() {
        try (Shop other = Shop.open();
                JpaSetup otherJpa = new JpaSetup(other.pool)) {
            SpringOutbox there = SpringOutbox.builder(other.outbox, other.pool).build();
            jpa.inTransaction(entities -> {
                entities.persist(new OrderRow("unflushed", "new"));
                otherJpa.inTransaction(theirs -> {
                    theirs.persist(new OrderRow("there", "new"));
                    there.enqueue(other.message("there", "x"));
                    assertThat(other.jdbc.queryForObject("SELECT count(*) FROM orders", Integer.class))
                            .isOne();
                });
                assertThat(shop.jdbc.queryForObject("SELECT count(*) FROM orders", Integer.class))
                        .isOne();
            });
            assertThat(other.deliveredKeys()).containsExactly("there");
        }
    }

    /** Also without an observer: Hibernate ends the transaction of the connection. */
    @Test
    void refusesAfterTheCommit() {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        jpa.inTransaction(entities -> {
            entities.find(OrderRow.class, "o").setStatus("committed");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    try {
                        enqueue("o", "late");
                    } catch (NoTransactionException refused) {
                        refusal.set(refused);
                    }
                }
            });
        });
        assertThat(refusal.get()).hasMessageContaining("has ended");
        assertThat(delivered()).isEmpty();
    }

    private void enqueue(String key, String text) {
        outbox.enqueue(shop.message(key, text));
    }
}
