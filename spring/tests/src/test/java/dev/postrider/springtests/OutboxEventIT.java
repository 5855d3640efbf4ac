package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.OutboxEventFilter;
import dev.postrider.spring.SpringOutbox;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Events become messages in the transaction of their publisher. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutboxEventIT {

    @OutboxEvent(topic = "orders", key = "#{id}", type = "com.example.OrderPlaced")
    record OrderPlaced(String id, int total) {}

    @OutboxEvent(
            topic = "${orders.topic}-#{country.toLowerCase()}",
            key = "#{@keys.of(#root)}",
            subject = "order/#{id}")
    record OrderShipped(String id, String country) {}

    @Retention(RetentionPolicy.RUNTIME)
    @OutboxEvent(topic = "domain-events", key = "#{aggregate}")
    @interface DomainEvent {
        @AliasFor(annotation = OutboxEvent.class, attribute = "type")
        String value();
    }

    @DomainEvent("com.example.Paid")
    record Paid(String aggregate) {}

    @OutboxEvent(topic = "family", key = "#{id}")
    sealed interface OrderChange permits Cancelled {
        String id();
    }

    record Cancelled(String id) implements OrderChange {}

    record Unrelated(String id) {}

    @OutboxEvent(topic = "orders", key = "order-#{id}")
    record Prefixed(String id) {}

    @OutboxEvent(topic = "orders", key = "#{total}-#{lines.size()}", subject = "#{lines.?[#this.length() > 1]}")
    record Computed(int total, List<String> lines) {}

    @OutboxEvent(topic = "orders", key = "#{missing}")
    record Misspelt(String id) {}

    @OutboxEvent(topic = "orders", key = "#{id")
    record Unclosed(String id) {}

    /** Its key is text of a stranger, which is never read as an expression. */
    @OutboxEvent(topic = "orders", key = "#{id}")
    record Hostile(String id) {}

    @OutboxEvent(topic = "orders", key = "#{id}")
    record Follower(String id) {}

    @OutboxEvent(topic = "orders", key = "#{id}")
    static class OldStyle extends ApplicationEvent {
        OldStyle(Object source) {
            super(source);
        }

        public String getId() {
            return "old";
        }
    }

    static final class Keys {
        public String of(OrderShipped event) {
            return "key-of-" + event.id();
        }
    }

    static class Beans {
        @Bean
        Keys keys() {
            return new Keys();
        }

        @Bean
        OutboxEventFilter withoutTests() {
            return event -> !(event instanceof OrderPlaced order && order.total() == 0);
        }

        @Bean
        Listeners listeners(ApplicationEventPublisher events) {
            return new Listeners(events);
        }
    }

    static class Listeners {
        private final ApplicationEventPublisher events;

        Listeners(ApplicationEventPublisher events) {
            this.events = events;
        }

        @EventListener
        @Order(0)
        void follow(OrderPlaced order) {
            if (order.total() == 7) {
                events.publishEvent(new Follower(order.id()));
            }
        }
    }

    private final Shop shop = Shop.open();
    private final AnnotationConfigApplicationContext context = Application.start(shop, Beans.class);
    private final SpringOutbox outbox = context.getBean(SpringOutbox.class);
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

    private List<OutboxMessage> delivered() {
        List<OutboxMessage> all = shop.delivered();
        return all.subList(before, all.size());
    }

    private OutboxMessage publish(Object event) {
        transaction.executeWithoutResult(status -> context.publishEvent(event));
        assertThat(delivered()).hasSize(1);
        return delivered().get(0);
    }

    @Test
    void anEventBecomesACloudEvent() {
        OutboxMessage message = publish(new OrderPlaced("17", 42));

        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.key()).contains("17");
        assertThat(message.type()).isEqualTo("com.example.OrderPlaced");
        assertThat(message.headers().get(Headers.SOURCE)).contains("/shop");
        assertThat(message.contentType()).isEqualTo("application/json");
        assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("{\"id\":\"17\",\"total\":42}");
    }

    @Test
    void expressionsUseTheEventPlaceholdersAndBeans() {
        OutboxMessage message = publish(new OrderShipped("18", "DE"));

        assertThat(message.topic()).isEqualTo("configured-orders-de");
        assertThat(message.key()).contains("key-of-18");
        assertThat(message.headers().get(Headers.SUBJECT)).contains("order/18");
        assertThat(message.type()).isEqualTo("dev.postrider.springtests.OutboxEventIT.OrderShipped");
    }

    @Test
    void theAnnotationMayStandOnAnAnnotationOrAnInterface() {
        OutboxMessage paid = publish(new Paid("a1"));
        assertThat(paid.topic()).isEqualTo("domain-events");
        assertThat(paid.type()).isEqualTo("com.example.Paid");
        assertThat(paid.key()).contains("a1");

        before++;
        OutboxMessage cancelled = publish(new Cancelled("c1"));
        assertThat(cancelled.topic()).isEqualTo("family");
        assertThat(cancelled.type()).endsWith(".Cancelled");
    }

    @Test
    void takesEventsThatExtendThoseOfSpring() {
        assertThat(publish(new OldStyle("source")).key()).contains("old");
    }

    @Test
    void rollsBackWithThePublisher() {
        transaction.executeWithoutResult(status -> {
            context.publishEvent(new OrderPlaced("19", 1));
            outbox.publish(new OrderPlaced("20", 1));
            status.setRollbackOnly();
        });
        assertThat(delivered()).isEmpty();
    }

    @Test
    void refusesOutsideATransaction() {
        assertThatThrownBy(() -> context.publishEvent(new OrderPlaced("21", 1)))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("@Transactional");
    }

    @Test
    void leavesOtherEventsAlone() {
        context.publishEvent(new Unrelated("x"));
        assertThat(delivered()).isEmpty();
    }

    @Test
    void aFilterKeepsEventsOutButNotThoseGivenToTheOutboxItself() {
        transaction.executeWithoutResult(status -> context.publishEvent(new OrderPlaced("22", 0)));
        assertThat(delivered()).isEmpty();

        transaction.executeWithoutResult(status -> outbox.publish(new OrderPlaced("23", 0)));
        assertThat(delivered()).hasSize(1);
    }

    @Test
    void whatOtherListenersPublishComesBehind() {
        transaction.executeWithoutResult(status -> context.publishEvent(new OrderPlaced("24", 7)));

        assertThat(delivered())
                .extracting(OutboxMessage::type)
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("OrderPlaced"),
                        second -> assertThat(second).endsWith("Follower"));
    }

    /** An executor would take the event out of the transaction. */
    @Test
    void stepsIntoNoOtherThread() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        SimpleApplicationEventMulticaster events = context.getBean(SimpleApplicationEventMulticaster.class);
        events.setTaskExecutor(executor);
        try {
            publish(new OrderPlaced("25", 1));
        } finally {
            events.setTaskExecutor(null);
            executor.shutdown();
        }
    }

    @Test
    void expressionsMayComputeAndTheirValuesAreNotReadAsExpressions() {
        String code = "#{T(java.lang.System).exit(1)}${user.home}";
        transaction.executeWithoutResult(status -> {
            outbox.publish(new Prefixed("1"));
            outbox.publish(new Computed(7, List.of("a", "tea")));
            outbox.publish(new Hostile(code));
        });
        assertThat(delivered())
                .extracting(message -> message.key().orElseThrow())
                .containsExactlyInAnyOrder("order-1", "7-2", code);
        assertThat(delivered())
                .extracting(message -> message.headers().get(Headers.SUBJECT))
                .contains(Optional.of("tea"));
    }

    @Test
    void saysWhatIsWrongWithAnExpression() {
        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> outbox.publish(new Prefixed(null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key of @OutboxEvent")
                    .hasMessageContaining("is null");
            assertThatThrownBy(() -> outbox.publish(new Misspelt("1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be evaluated: missing");
            assertThatThrownBy(() -> outbox.publish(new Unclosed("1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no valid expression: #{id");
        });
        assertThat(delivered()).isEmpty();
    }

    @Test
    void saysWhatIsWrongWithAnEvent() {
        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(() -> outbox.publish(new Unrelated("x")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has no @OutboxEvent");
            assertThatThrownBy(() -> outbox.publish(new OrderPlaced(null, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key of @OutboxEvent")
                    .hasMessageContaining("null");
            SpringOutbox plain = SpringOutbox.builder(shop.outbox, shop.pool).build();
            assertThatThrownBy(() -> plain.publish(new OrderPlaced("1", 1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("events(");
        });
        assertThat(delivered()).isEmpty();
    }
}
