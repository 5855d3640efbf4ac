package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventContext;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import dev.postrider.destination.memory.ParkedMessage;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.EventHandlers;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.spring.SubscriberFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Events reach annotated methods, in one transaction with the inbox. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventHandlerIT {

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id) {}

    @OutboxEvent(topic = "orders", key = "#{id}", type = "com.example.OrderPaid")
    record OrderPaid(String id) {}

    static class Billing {

        private final Shop shop;

        Billing(Shop shop) {
            this.shop = shop;
        }

        @EventHandler(subscriber = "billing")
        void bill(OrderPlaced order) {
            shop.insertOrder("bill-" + order.id());
        }
    }

    /** Beside it, what tests need. */
    static class Others {

        private final Shop shop;
        private final List<String> seen = new CopyOnWriteArrayList<>();
        private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

        Others(Shop shop) {
            this.shop = shop;
        }

        List<String> seen() {
            return seen;
        }

        int attempts(String id) {
            return attempts.get(id).get();
        }

        @EventHandler(subscriber = "billing", type = "com.example.OrderPaid")
        void onPaid(OrderPaid paid, EventContext context) {
            int attempt = attempts.computeIfAbsent(paid.id(), id -> new AtomicInteger())
                    .incrementAndGet();
            shop.insertOrder("paid-" + paid.id());
            if (paid.id().startsWith("poison")) {
                throw new UnprocessableEventException("on purpose");
            }
            if (paid.id().startsWith("flaky") && attempt < 3) {
                throw new IllegalStateException("on purpose");
            }
            seen.add(context.subscriber() + " " + paid.id() + " " + attempt);
        }

        @EventHandler(subscriber = "audit", once = false)
        void all(OutboxMessage message) {
            seen.add("audit " + message.key().orElseThrow() + " "
                    + TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    static class Brokers {

        private final List<MemoryReceiver> receivers = new CopyOnWriteArrayList<>();

        List<ParkedMessage> parked() {
            return receivers.stream()
                    .flatMap(receiver -> receiver.parked().stream())
                    .toList();
        }

        @Bean
        MemoryDestination destination() {
            return MemoryDestination.named("memory");
        }

        @Bean
        SubscriberFactory subscribers(MemoryDestination destination, CodecRegistry codecs) {
            return name -> Subscriber.builder(name, receiver(destination, name), codecs);
        }

        private MemoryReceiver receiver(MemoryDestination destination, String name) {
            MemoryReceiver receiver =
                    destination.receiver(name, MemoryReceiverOptions.defaults().withRetryPause(Duration.ofMillis(10)));
            receivers.add(receiver);
            return receiver;
        }

        @Bean(destroyMethod = "close")
        Relay relay(Shop shop, MemoryDestination destination) {
            Relay relay = Relay.withDefaults(shop.store, destination);
            relay.start();
            return relay;
        }
    }

    private final Shop shop = Shop.open();
    private final AnnotationConfigApplicationContext context =
            Application.start(shop, Brokers.class, Billing.class, Others.class);
    private final TransactionTemplate transaction =
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

    @AfterAll
    void close() {
        context.close();
        shop.close();
    }

    private void publish(Object... events) {
        transaction.executeWithoutResult(status -> {
            for (Object event : events) {
                context.publishEvent(event);
            }
        });
    }

    private List<String> seen() {
        return context.getBean(Others.class).seen();
    }

    @Test
    void aHandlerGetsTheTypedEvent() {
        publish(new OrderPlaced("1"), new OrderPaid("2"));

        Eventually.holds(() -> shop.orders().containsAll(List.of("bill-1", "paid-2")));
        assertThat(seen()).contains("billing 2 1");
    }

    @Test
    void eachSubscriberGetsItAndOneForAllGetsTheMessageOutsideATransaction() {
        publish(new OrderPlaced("3"));

        Eventually.holds(() -> shop.orders().contains("bill-3") && seen().contains("audit 3 false"));
    }

    @Test
    void aDuplicateHasNoSecondEffect() {
        OutboxMessage[] message = new OutboxMessage[1];
        transaction.executeWithoutResult(
                status -> message[0] = context.getBean(SpringOutbox.class).publish(new OrderPaid("twice")));
        Eventually.holds(() -> seen().contains("billing twice 1"));

        MemoryDestination destination = context.getBean(MemoryDestination.class);
        destination.send(message[0]).toCompletableFuture().join();
        publish(new OrderPaid("behind"));
        Eventually.holds(() -> seen().contains("billing behind 1")
                && seen().stream().filter("audit twice false"::equals).count() == 2);

        assertThat(context.getBean(Others.class).attempts("twice")).isOne();
    }

    @Test
    void aFailedAttemptIsRolledBackAndRetried() {
        publish(new OrderPaid("flaky"));

        // Its transaction commits after the handler has returned.
        Eventually.holds(() -> shop.orders().contains("paid-flaky"));
        assertThat(seen()).contains("billing flaky 3");
    }

    @Test
    void whatCannotBeProcessedIsParkedWithoutEffect() {
        publish(new OrderPaid("poison"));

        Eventually.holds(() -> context.getBean(Brokers.class).parked().stream()
                .anyMatch(parked -> parked.message().key().orElseThrow().equals("poison")));
        assertThat(shop.orders()).doesNotContain("paid-poison");
    }

    @Test
    void stopsAndStartsWithTheContext() {
        EventHandlers handlers = context.getBean(EventHandlers.class);
        assertThat(handlers.receiving()).containsOnly(Map.entry("billing", true), Map.entry("audit", true));

        context.stop();
        assertThat(handlers.isRunning()).isFalse();
        publish(new OrderPlaced("while-stopped"));
        assertThat(shop.orders()).doesNotContain("bill-while-stopped");

        context.start();
        Eventually.holds(() -> shop.orders().contains("bill-while-stopped"));
    }

    static class Wrong {
        @EventHandler(subscriber = "wrong")
        void two(OrderPlaced order, String more) {}
    }

    static class WithoutInbox {
        @EventHandler(subscriber = "wrong", inbox = "elsewhere")
        void handle(OrderPlaced order) {}
    }

    @Test
    void aMistakeFailsTheStart() {
        assertThatThrownBy(() -> Application.start(shop, WithoutInbox.class).close())
                .hasStackTraceContaining("'elsewhere'")
                .hasStackTraceContaining("Define a bean of type SpringInbox");
        assertThatThrownBy(() -> Application.start(shop, Wrong.class))
                .hasStackTraceContaining("EventContext")
                .hasStackTraceContaining("two");
        assertThatThrownBy(() -> Application.start(shop, Billing.class).close())
                .hasStackTraceContaining("SubscriberFactory")
                .hasStackTraceContaining("billing");
    }

    /** The first receiver is refused, the second gives up; the third receives. */
    static class UnreliableBroker {

        @Bean
        MemoryDestination destination() {
            return MemoryDestination.named("unreliable");
        }

        @Bean
        FailingReceivers receivers(MemoryDestination destination) {
            return new FailingReceivers(destination);
        }

        @Bean
        SubscriberFactory subscribers(FailingReceivers receivers, CodecRegistry codecs) {
            return name -> Subscriber.builder(name, receivers.next(name), codecs);
        }
    }

    @Test
    void aSubscriberThatLosesItsBrokerIsMadeAgain() {
        try (AnnotationConfigApplicationContext unreliable =
                Application.start(shop, UnreliableBroker.class, Billing.class)) {
            FailingReceivers receivers = unreliable.getBean(FailingReceivers.class);
            Eventually.holds(() -> receivers.started() == 1);
            receivers.failCurrent(new ReceiverException("gone", null));
            Eventually.holds(() -> receivers.started() == 2);
            assertThat(unreliable.getBean(EventHandlers.class).receiving()).containsEntry("billing", true);
        }
    }
}
