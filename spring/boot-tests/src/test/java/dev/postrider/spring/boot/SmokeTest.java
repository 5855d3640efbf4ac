package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** H2, one destination that is a bean, and nothing configured but that tables are created. Runs on every line of Boot. */
class SmokeTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues(
                    "spring.application.name=shop",
                    "spring.datasource.generate-unique-name=true",
                    "postrider.schema-mode=create");

    @Test
    void deliversWhatWasCommittedAndNothingElse() {
        application.run(context -> {
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            SpringOutbox outbox = context.getBean(SpringOutbox.class);

            transactions.executeWithoutResult(status -> {
                outbox.publish(new OrderPlaced("1", 42));
                status.setRollbackOnly();
            });
            transactions.executeWithoutResult(status -> outbox.publish(new OrderPlaced("2", 43)));
            transactions.executeWithoutResult(status -> context.publishEvent(new OrderPlaced("2", 44)));

            Received received = context.getBean(Received.class);
            Eventually.assertThat(received::messages, 2);
            assertThat(received.messages())
                    .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                    .containsExactly("{\"id\":\"2\",\"total\":43}", "{\"id\":\"2\",\"total\":44}");
            assertThat(received.messages().get(0).key()).contains("2");
            assertThat(received.messages().get(0).topic()).isEqualTo("orders");
        });
    }

    @Test
    void refusesToWriteOutsideATransaction() {
        application.run(context -> {
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            assertThatThrownBy(() -> outbox.publish(new OrderPlaced("1", 1)))
                    .isInstanceOf(NoTransactionException.class);
        });
    }

    @Test
    void leavesNoThreadBehind() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        application.run(context -> {
            OutboxLifecycle lifecycle = context.getBean(OutboxLifecycle.class);
            assertThat(lifecycle.isRunning()).isTrue();
            lifecycle.stop();
            assertThat(lifecycle.isRunning()).isFalse();
            lifecycle.start();
            assertThat(lifecycle.isRunning()).isTrue();
        });
        Eventually.assertThat(() -> ourThreads(before), 0);
    }

    private static Set<Thread> ourThreads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.isAlive())
                .filter(thread -> thread.getName().startsWith("postrider"))
                .collect(Collectors.toSet());
    }

    @Test
    void relaysElsewhereIfToldSo() {
        application.withPropertyValues("postrider.relay.enabled=false").run(context -> {
            assertThat(context.getBean(OutboxLifecycle.class).isRunning()).isFalse();
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                            status -> context.getBean(SpringOutbox.class).publish(new OrderPlaced("1", 1)));
            assertThat(context.getBean(Outbox.class).stats().undelivered()).isEqualTo(1);
        });
    }

    @Test
    void relayHasAPoolOfItsOwn() {
        application.run(context -> {
            assertThat(context.getBean(RelayPool.class).isOwn()).isTrue();
            assertThat(context).hasSingleBean(OutboxStore.class);
        });
    }

    @Test
    void namesAMistakeAndItsPlace() {
        application
                .withPropertyValues("postrider.relay.wokers=3")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("postrider.relay: unknown key 'wokers'; did you mean 'workers'?"));
        application
                .withPropertyValues("postrider.relay.maxInFlight=0")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("postrider.relay.max-in-flight is 0, expected 1 to 100000"));
    }

    /** What the application has. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Received received() {
            return new Received(new CopyOnWriteArrayList<>());
        }

        @Bean
        Destination warehouse(Received received) {
            return Destination.blocking("warehouse", received.messages()::add);
        }
    }

    record Received(List<OutboxMessage> messages) {}

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id, int total) {}
}
