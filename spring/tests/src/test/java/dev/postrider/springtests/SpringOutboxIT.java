package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import dev.postrider.spring.SpringOutbox;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Messages share the fate of Spring's transactions, whatever their propagation, and relays are woken once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringOutboxIT {

    private final Shop shop = Shop.open();
    private final SpringOutbox outbox =
            SpringOutbox.builder(shop.outbox, shop.pool).build();
    private final TransactionTemplate required = template(shop.pool, TransactionDefinition.PROPAGATION_REQUIRED);
    private final TransactionTemplate requiresNew = template(shop.pool, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    private final TransactionTemplate nested = template(shop.pool, TransactionDefinition.PROPAGATION_NESTED);
    private int before;

    private static TransactionTemplate template(DataSource dataSource, int propagation) {
        TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        template.setPropagationBehavior(propagation);
        return template;
    }

    @BeforeEach
    void count() {
        before = shop.delivered().size();
    }

    @AfterAll
    void close() {
        shop.close();
    }

    private List<String> delivered() {
        return shop.deliveredKeys().subList(before, shop.deliveredKeys().size());
    }

    @Test
    void sendsWhatIsCommittedAndNothingThatIsRolledBack() {
        required.executeWithoutResult(status -> place("committed"));
        required.executeWithoutResult(status -> {
            place("rolled-back");
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> required.executeWithoutResult(status -> {
                    place("thrown");
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");

        assertThat(delivered()).containsExactly("committed");
        assertThat(shop.orders()).contains("committed").doesNotContain("rolled-back", "thrown");
    }

    private void place(String key) {
        shop.insertOrder(key);
        outbox.enqueue(shop.message(key, "placed"));
    }

    @Test
    void aNewTransactionCommitsAloneAndLeavesTheOuterOneToItself() {
        required.executeWithoutResult(status -> {
            outbox.enqueue(message("outer"));
            requiresNew.executeWithoutResult(inner -> outbox.enqueue(message("inner")));
            status.setRollbackOnly();
        });
        assertThat(delivered()).containsExactly("inner");

        required.executeWithoutResult(status -> {
            outbox.enqueue(message("outer-2"));
            requiresNew.executeWithoutResult(inner -> {
                outbox.enqueue(message("inner-2"));
                inner.setRollbackOnly();
            });
        });
        assertThat(delivered()).containsExactly("inner", "outer-2");
    }

    /** PostgreSQL refuses everything in a transaction in which a statement has failed. */
    @Test
    void aNewTransactionIsSentWhereTheOuterOneHasFailed() {
        assertThatThrownBy(() -> required.executeWithoutResult(status -> {
                    outbox.enqueue(message("outer"));
                    assertThatThrownBy(() -> new JdbcTemplate(shop.pool).execute("SELECT nonsense"))
                            .isInstanceOf(DataAccessException.class);
                    requiresNew.executeWithoutResult(inner -> outbox.enqueue(message("excuse")));
                    outbox.enqueue(message("too-late"));
                }))
                .isInstanceOf(StoreException.class);
        assertThat(delivered()).containsExactly("excuse");
    }

    @Test
    void aSavepointTakesItsMessagesWithIt() {
        required.executeWithoutResult(status -> {
            outbox.enqueue(message("a"));
            nested.executeWithoutResult(inner -> {
                outbox.enqueue(message("lost"));
                inner.setRollbackOnly();
            });
            nested.executeWithoutResult(inner -> outbox.enqueue(message("b")));
            outbox.enqueue(message("c"));
        });
        assertThat(delivered()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void wakesRelaysOnceForEachTransaction() {
        AtomicInteger wakes = new AtomicInteger();
        WakeSignal.Registration listening = shop.store.wakeSignal().listen(wakes::incrementAndGet);
        try {
            required.executeWithoutResult(status -> {
                for (int i = 0; i < 10; i++) {
                    outbox.enqueue(List.of(message("w" + i)));
                }
                nested.executeWithoutResult(inner -> outbox.enqueue(message("nested")));
                assertThat(wakes).as("before the commit").hasValue(0);
            });
            assertThat(wakes).hasValue(1);

            required.executeWithoutResult(status -> {
                outbox.enqueue(message("outer"));
                requiresNew.executeWithoutResult(inner -> outbox.enqueue(message("inner")));
                assertThat(wakes).as("after the inner one").hasValue(2);
            });
            assertThat(wakes).hasValue(3);
        } finally {
            listening.close();
        }
    }

    /** The manager, the code and the outbox may each know another layer of the same data source. */
    @Test
    void findsTheTransactionThroughProxiesOfTheDataSource() {
        DataSource lazy = new LazyConnectionDataSourceProxy(shop.pool);
        List<DataSource> layers = List.of(
                shop.pool,
                lazy,
                new TransactionAwareDataSourceProxy(shop.pool),
                new TransactionAwareDataSourceProxy(lazy));
        for (DataSource managed : layers) {
            for (DataSource given : layers) {
                SpringOutbox outbox = SpringOutbox.builder(shop.outbox, given).build();
                TransactionTemplate template = template(managed, TransactionDefinition.PROPAGATION_REQUIRED);
                template.executeWithoutResult(status -> {
                    outbox.enqueue(message("rolled-back"));
                    status.setRollbackOnly();
                });
                template.executeWithoutResult(status -> outbox.enqueue(message("layer")));
            }
        }
        assertThat(delivered()).hasSize(16).containsOnly("layer");
    }

    @Test
    void eachOfSeveralDataSourcesHasItsOutbox() {
        try (Shop other = Shop.open()) {
            SpringOutbox otherOutbox =
                    SpringOutbox.builder(other.outbox, other.pool).build();
            TransactionTemplate otherTemplate = template(other.pool, TransactionDefinition.PROPAGATION_REQUIRED);

            required.executeWithoutResult(status -> {
                outbox.enqueue(message("here"));
                otherTemplate.executeWithoutResult(inner -> otherOutbox.enqueue(other.message("there", "x")));
                assertThatThrownBy(() -> otherOutbox.enqueue(other.message("refused", "x")))
                        .isInstanceOf(NoTransactionException.class);
                status.setRollbackOnly();
            });

            assertThat(delivered()).isEmpty();
            assertThat(other.deliveredKeys()).containsExactly("there");
        }
    }

    @Test
    void refusesABadMessageAndWritesNothing() {
        required.executeWithoutResult(
                status -> assertThatThrownBy(() -> outbox.enqueue(message("good"), (OutboxMessage) null))
                        .isInstanceOf(InvalidMessageException.class));
        assertThat(delivered()).isEmpty();
    }

    private OutboxMessage message(String key) {
        return shop.message(key, "x");
    }
}
