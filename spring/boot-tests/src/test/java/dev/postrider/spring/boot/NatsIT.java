package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** NATS, by keys of its own. */
class NatsIT {

    private final Broker nats = Servers.nats();
    private final String url = "nats://" + nats.host() + ":" + nats.port();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "postrider.schema-mode=create",
                    "postrider.destinations.nats.type=nats",
                    "postrider.destinations.nats.servers=" + url,
                    "postrider.destinations.nats.user=" + nats.user(),
                    "postrider.destinations.nats.password=" + nats.password(),
                    "postrider.subscribers.spring-boot-billing.type=nats",
                    "postrider.subscribers.spring-boot-billing.servers=" + url,
                    "postrider.subscribers.spring-boot-billing.user=" + nats.user(),
                    "postrider.subscribers.spring-boot-billing.password=" + nats.password(),
                    "postrider.subscribers.spring-boot-billing.stream=SPRING_BOOT",
                    "postrider.subscribers.spring-boot-billing.topics=spring-boot.orders",
                    "postrider.subscribers.spring-boot-billing.create-stream=true");

    @Test
    void carriesAnEventToAHandler() {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> outbox.publish(new OrderPlaced("17")));

            List<OrderPlaced> billed = context.getBean(Billing.class).billed;
            Eventually.assertThat(() -> billed, 1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    static class Billing {

        final List<OrderPlaced> billed = new CopyOnWriteArrayList<>();

        @EventHandler(subscriber = "spring-boot-billing")
        void bill(OrderPlaced order) {
            billed.add(order);
        }
    }

    @OutboxEvent(topic = "spring-boot.orders", key = "#{id}", type = "springboot.OrderPlaced")
    record OrderPlaced(String id) {}
}
