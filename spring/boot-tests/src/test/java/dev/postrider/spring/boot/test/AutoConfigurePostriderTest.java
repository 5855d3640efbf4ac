package dev.postrider.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.EventHandlers;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.testkit.RecordingDestination;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A test of an application, without a database of its own, relay or broker. */
@SpringBootTest(
        classes = AutoConfigurePostriderTest.Slice.class,
        properties = {"postrider.subscribers.billing.type=kafka", "postrider.subscribers.billing.topics=orders"})
@AutoConfigurePostrider
class AutoConfigurePostriderTest {

    private static final ServerSocket BROKER = listen();

    @Autowired
    private SpringOutbox outbox;

    @Autowired
    private AssertablePostrider postrider;

    @Autowired
    private PlatformTransactionManager transactions;

    @Autowired
    private EventHandlers handlers;

    @Autowired
    private OutboxStore store;

    @Autowired
    private Billing billing;

    @DynamicPropertySource
    static void setBroker(DynamicPropertyRegistry properties) {
        properties.add("spring.kafka.bootstrap-servers", () -> "localhost:" + BROKER.getLocalPort());
    }

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @AfterAll
    static void close() throws IOException {
        BROKER.close();
    }

    @BeforeEach
    void forget() {
        postrider.forget();
    }

    @Test
    void saysWhatWasCommitted() {
        new TransactionTemplate(transactions).executeWithoutResult(status -> outbox.publish(new OrderPlaced("17")));

        assertThat(postrider)
                .enqueued(OrderPlaced.class)
                .withKey("17")
                .withTopic("orders")
                .times(1);
        assertThatThrownBy(
                        () -> assertThat(postrider).enqueued(OrderPlaced.class).withKey("18"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("key 18");
        assertThat(postrider.deliverNow().delivered()).isPositive();
    }

    @Test
    void saysNothingOfWhatWasRolledBack() {
        new TransactionTemplate(transactions).executeWithoutResult(status -> {
            outbox.publish(new OrderPlaced("1"));
            status.setRollbackOnly();
        });

        assertThat(postrider).hasNothing();
    }

    @Test
    void forgetsWhatASavepointTakesBack() {
        TransactionTemplate nested = new TransactionTemplate(transactions);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        new TransactionTemplate(transactions).executeWithoutResult(status -> {
            outbox.publish(new OrderPlaced("1"));
            nested.executeWithoutResult(inner -> {
                outbox.publish(new OrderPlaced("2"));
                inner.setRollbackOnly();
            });
        });

        assertThat(postrider).enqueued(OrderPlaced.class).times(1).withKey("1");
    }

    @Test
    @Transactional
    void saysWhatATransactionOfTheTestHasWritten() {
        outbox.publish(new OrderPlaced("5"));

        assertThat(postrider).enqueued(OrderPlaced.class).withKey("5");
    }

    @Test
    void retriesAHeldMessageAtOnceWhenAsked() {
        new TransactionTemplate(transactions).executeWithoutResult(status -> outbox.publish(new OrderPlaced("9")));
        RecordingDestination broker = new RecordingDestination("broker");
        broker.answerNext(DeliveryResult.retry("busy"));
        Relay relay = Relay.builder(store, broker)
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build();
        relay.drainOnce();
        HeldHead held = store.heldReport(1).heads().get(0);

        assertThat(store.retryHeld(held.ref(), "ann")).isTrue();

        assertThat(relay.drainOnce().delivered()).isEqualTo(1);
    }

    @Test
    void refusesToWriteOutsideATransaction() {
        assertThatThrownBy(() -> outbox.publish(new OrderPlaced("1"))).isInstanceOf(NoTransactionException.class);
    }

    @Test
    void contactsNoBrokerForHandlersWhichTheTestCalls() throws IOException {
        BROKER.setSoTimeout(1);
        assertThatThrownBy(BROKER::accept).isInstanceOf(SocketTimeoutException.class);
        assertThat(handlers.isRunning()).isFalse();
        billing.bill(new OrderPlaced("3"));
        assertThat(billing.billed).containsExactly("3");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Billing.class)
    static class Slice {}

    static class Billing {

        private final List<String> billed = new ArrayList<>();

        @EventHandler(subscriber = "billing")
        void bill(OrderPlaced order) {
            billed.add(order.id());
        }
    }

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id) {}
}
