package dev.postrider.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spring.EventHandler;
import dev.postrider.spring.EventHandlers;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.annotation.Transactional;

/** Slices with an outbox in memory. Of Boot 4 only: in Boot 3 slices have other packages. */
class SlicesTest {

    @Nested
    @DataJpaTest
    @AutoConfigurePostrider
    @ContextConfiguration(classes = Shop.class)
    class OfJpa {

        @Test
        void hasAnOutboxInTheTransactionOfTheTest(
                @Autowired Orders orders,
                @Autowired EntityManager entities,
                @Autowired AssertablePostrider postrider,
                @Autowired EventHandlers handlers) {
            entities.persist(new OrderRow("17"));
            orders.place("17");

            assertThat(postrider).enqueued(OrderPlaced.class).withKey("17");
            assertThat(entities.find(OrderRow.class, "17")).isNotNull();
            assertThat(handlers.isRunning()).isFalse();
        }
    }

    @Nested
    @JsonTest
    @AutoConfigurePostrider
    @ContextConfiguration(classes = Shop.class)
    class WithoutADatabase {

        @Test
        void hasAnOutboxToo(
                @Autowired Orders orders,
                @Autowired DataSource dataSource,
                @Autowired AssertablePostrider postrider,
                @Autowired EventHandlers handlers) {
            orders.place("18");

            assertThat(postrider).enqueued(OrderPlaced.class).withKey("18");
            assertThat(dataSource.getClass().getName()).doesNotContain("hikari");
            assertThat(handlers.isRunning()).isFalse();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Orders.class, Billing.class})
    static class Shop {}

    static class Orders {

        private final SpringOutbox outbox;

        Orders(SpringOutbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void place(String id) {
            outbox.publish(new OrderPlaced(id));
        }
    }

    /** Says no broker: it would fail the start. */
    static class Billing {

        @EventHandler(subscriber = "billing")
        void bill(OrderPlaced order) {}
    }

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id) {}

    @Entity
    static class OrderRow {

        @Id
        private String id;

        protected OrderRow() {}

        OrderRow(String id) {
            this.id = id;
        }
    }
}
