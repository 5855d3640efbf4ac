package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.AlreadyInTransactionException;
import dev.postrider.spring.SpringOutbox;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** What goes wrong with an outbox by hand in Spring, and cannot here. The order of a key with JPA is in {@link JpaOutboxIT}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrapsIT {

    record Placed(String id) {}

    /** Listeners as people write them. */
    static class Listeners {
        private final SpringOutbox outbox;
        private final Shop shop;
        private final List<Throwable> failures = new ArrayList<>();

        Listeners(SpringOutbox outbox, Shop shop) {
            this.outbox = outbox;
            this.shop = shop;
        }

        List<Throwable> failures() {
            return failures;
        }

        @TransactionalEventListener
        @Order(2)
        void afterCommit(Placed event) {
            try {
                outbox.enqueue(shop.message(event.id() + "-after", "x"));
            } catch (RuntimeException refused) {
                failures.add(refused);
                throw refused;
            }
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void beforeCommit(Placed event) {
            outbox.enqueue(shop.message(event.id() + "-before", "x"));
        }

        /** First, since Spring then takes the thread for one without a transaction. */
        @TransactionalEventListener
        @Order(1)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void inATransactionOfItsOwn(Placed event) {
            outbox.enqueue(shop.message(event.id() + "-new", "x"));
        }
    }

    private final Shop shop = Shop.open();
    private final AnnotationConfigApplicationContext context = Application.start(shop, Listeners.class);
    private final TransactionTemplate transaction =
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    private int before;

    @BeforeEach
    void count() {
        before = shop.delivered().size();
    }

    @AfterAll
    void close() {
        context.close();
        shop.close();
    }

    private List<String> delivered() {
        List<String> all = shop.deliveredKeys();
        return all.subList(before, all.size());
    }

    /** A second transaction would commit alone, and the message of a rolled-back order be sent. */
    @Test
    void noMessageOfARolledBackOrder() {
        assertSecondTransactionIsRefused(shop.pool);
    }

    /** Through such a proxy the second transaction would be Spring's own, committed too early. */
    @Test
    void noCommitOfATransactionOfSpring() {
        assertSecondTransactionIsRefused(new TransactionAwareDataSourceProxy(shop.pool));
    }

    private void assertSecondTransactionIsRefused(DataSource given) {
        transaction.executeWithoutResult(status -> {
            shop.insertOrder("trapped");
            assertThatThrownBy(() -> shop.outbox.inTransaction(given, tx -> tx.enqueue(shop.message("trapped", "x"))))
                    .isInstanceOf(AlreadyInTransactionException.class);
            status.setRollbackOnly();
        });
        assertThat(shop.orders()).doesNotContain("trapped");
        assertThat(delivered()).isEmpty();
    }

    /** The listener gets the refusal, which says what works instead; so does the log, since Spring keeps it from the publisher. */
    @Test
    void noMessageThatVanishesInAnAfterCommitListener() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.postrider.spring");
        log.start();
        logger.addAppender(log);
        try {
            transaction.executeWithoutResult(status -> context.publishEvent(new Placed("p")));
        } finally {
            logger.detachAppender(log);
        }

        assertThat(context.getBean(Listeners.class).failures())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal).hasMessageContaining("has ended"));
        assertThat(log.list).filteredOn(line -> line.getLevel() == Level.ERROR).hasSize(1);
        assertThat(delivered()).containsExactlyInAnyOrder("p-before", "p-new");
    }
}
