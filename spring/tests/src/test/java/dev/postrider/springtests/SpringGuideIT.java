package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Inbox;
import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.PublishOptions;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext;
import dev.postrider.spring.EnablePostrider;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.OutboxEventFilter;
import dev.postrider.spring.SpringInbox;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.spring.SubscriberFactory;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** What stands between "snippet" and "end" stands in docs/guides/spring.md as well; SnippetsTest compares. */
class SpringGuideIT {

    // snippet: event
    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id, int total) {}
    // end

    // snippet: own-annotation
    @Retention(RetentionPolicy.RUNTIME)
    @OutboxEvent(topic = "${orders.topic:orders}", key = "#{id}", subject = "order/#{id}")
    @interface OrderEvent {
        @AliasFor(annotation = OutboxEvent.class, attribute = "type")
        String value();
    }

    @OrderEvent("com.example.OrderPaid")
    record OrderPaid(String id) {}
    // end

    // snippet: service
    static class Orders {

        private final JdbcTemplate jdbc;
        private final SpringOutbox outbox;

        Orders(JdbcTemplate jdbc, SpringOutbox outbox) {
            this.jdbc = jdbc;
            this.outbox = outbox;
        }

        @Transactional
        public void place(String id, int total) {
            jdbc.update("INSERT INTO orders VALUES (?, 'new')", id);
            outbox.publish(new OrderPlaced(id, total));
            outbox.enqueue(outbox.message("mails")
                    .key(id)
                    .type("com.example.MailRequested")
                    .json("{\"order\": \"" + id + "\"}")
                    .build());
        }
    }
    // end

    // snippet: publisher
    static class Payments {

        private final ApplicationEventPublisher events;

        Payments(ApplicationEventPublisher events) {
            this.events = events;
        }

        @Transactional
        public void pay(String id) {
            events.publishEvent(new OrderPaid(id));
        }
    }
    // end

    // snippet: handler
    static class Billing {

        private final JdbcTemplate jdbc;

        Billing(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @EventHandler(subscriber = "billing")
        void bill(OrderPlaced order) {
            jdbc.update("INSERT INTO invoices VALUES (?, ?)", order.id(), order.total());
        }
    }
    // end

    // snippet: configuration
    @Configuration
    @EnableTransactionManagement
    @EnablePostrider
    static class OutboxConfiguration {

        @Bean
        CodecRegistry codecs() {
            return CodecRegistry.of(JsonCodec.withDefaults());
        }

        @Bean
        SpringOutbox springOutbox(
                Outbox outbox, DataSource dataSource, CodecRegistry codecs, ConfigurableBeanFactory beans) {
            return SpringOutbox.builder(outbox, dataSource)
                    .events(EventPublishers.builder(codecs)
                            .defaults(PublishOptions.none().withSource("/shop"))
                            .build())
                    .beanFactory(beans)
                    .build();
        }
    }
    // end

    @Configuration
    static class Receiving {

        // snippet: filter
        @Bean
        OutboxEventFilter withoutFreeOrders() {
            return event -> !(event instanceof OrderPlaced order && order.total() == 0);
        }
        // end

        // snippet: tracing
        @Bean
        TraceInterceptor tracing(TraceContext trace) {
            return new TraceInterceptor(trace);
        }
        // end

        @Bean
        TraceContext noTrace() {
            return new TraceContext() {
                @Override
                public Optional<String> current() {
                    return Optional.empty();
                }

                @Override
                public Scope continueFrom(String traceParent, String name) {
                    return () -> {};
                }
            };
        }

        // snippet: receiving
        @Bean
        SpringInbox springInbox(Inbox inbox, DataSource dataSource, PlatformTransactionManager transactions) {
            return SpringInbox.of(inbox, dataSource, transactions);
        }

        @Bean
        SubscriberFactory subscribers(MemoryDestination broker, CodecRegistry codecs) {
            return name -> Subscriber.builder(name, broker.receiver(name), codecs);
        }
        // end

        @Bean
        MemoryDestination broker() {
            return MemoryDestination.named("broker");
        }

        @Bean
        DataSource dataSource(Shop shop) {
            return shop.pool;
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        Inbox inbox(Shop shop) {
            return shop.inbox;
        }

        @Bean
        Outbox outbox(Shop shop) {
            return shop.outbox;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Test
    void whatTheGuideShowsWorks() {
        try (Shop shop = Shop.open();
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            shop.jdbc.execute("CREATE TABLE invoices (id TEXT PRIMARY KEY, total INT)");
            context.registerBean("shop", Shop.class, () -> shop, definition -> definition.setDestroyMethodName(""));
            context.register(OutboxConfiguration.class, Receiving.class, Orders.class, Payments.class, Billing.class);
            context.refresh();

            Orders orders = context.getBean(Orders.class);
            orders.place("1", 42);
            assertThatThrownBy(() -> orders.place("1", 43)).isInstanceOf(RuntimeException.class);
            context.getBean(Payments.class).pay("1");

            List<OutboxMessage> delivered = shop.delivered();
            assertThat(delivered)
                    .extracting(OutboxMessage::type)
                    .containsExactlyInAnyOrder(
                            "dev.postrider.springtests.SpringGuideIT.OrderPlaced",
                            "com.example.MailRequested",
                            "com.example.OrderPaid");
            delivered.forEach(message -> context.getBean(MemoryDestination.class)
                    .send(message)
                    .toCompletableFuture()
                    .join());
            Eventually.holds(() -> shop.jdbc
                    .queryForList("SELECT total FROM invoices", Integer.class)
                    .equals(List.of(42)));
        }
    }
}
