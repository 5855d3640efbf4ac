package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spring.SpringOutbox;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The end of an application whose broker does not answer. */
class ClosingTest {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(45);

    private static final Set<String> NEEDED_BY_THE_RELAY =
            Set.of("broker", "postriderDestinations", "postriderRelayPool", "dataSource");

    private final List<String> ended = new CopyOnWriteArrayList<>();
    private long closing;

    @Test
    void takesNoLongerThanAPhaseAndClosesTheRelayBeforeWhatItNeeds() {
        new ApplicationContextRunner()
                .withUserConfiguration(Shop.class)
                .withBean(Recorder.class, () -> new Recorder(ended))
                .withPropertyValues(
                        "spring.datasource.generate-unique-name=true",
                        "spring.lifecycle.timeout-per-shutdown-phase=1s",
                        "postrider.schema-mode=create",
                        "postrider.destination=silent",
                        "postrider.destinations.log.type=log",
                        "postrider.relay.lease=10m",
                        "postrider.relay.delivery-timeout=5m",
                        "postrider.relay.close-timeout=" + CLOSE_TIMEOUT.toSeconds() + "s")
                .run(context -> {
                    SpringOutbox outbox = context.getBean(SpringOutbox.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> outbox.enqueue(
                                    outbox.message("t").type("t").json("{}").build()));
                    context.getBean(Shop.class).sent.await();
                    closing = System.nanoTime();
                });

        assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(CLOSE_TIMEOUT);
        assertThat(ended).first().isEqualTo("relay");
        assertThat(ended).containsAll(NEEDED_BY_THE_RELAY);
    }

    /** Writes down when the relay has closed, and when beans that it needs are closed. */
    private record Recorder(List<String> ended) implements DestructionAwareBeanPostProcessor, RelayCustomizer {

        @Override
        public void postProcessBeforeDestruction(Object bean, String name) {
            if (NEEDED_BY_THE_RELAY.contains(name)) {
                ended.add(name);
            }
        }

        @Override
        public void customize(String outbox, RelayBuilder relay) {
            relay.listener(new RelayListener() {
                @Override
                public void closed(Relay closed) {
                    ended.add("relay");
                }
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        private final CountDownLatch sent = new CountDownLatch(1);

        /** Takes messages and never says what became of them. */
        @Bean
        Destination broker() {
            return new Destination() {
                @Override
                public String name() {
                    return "silent";
                }

                @Override
                public CompletionStage<DeliveryResult> send(OutboxMessage message) {
                    sent.countDown();
                    return new CompletableFuture<>();
                }

                @Override
                public Duration deliveryTimeout() {
                    return Duration.ofMinutes(5);
                }
            };
        }
    }
}
