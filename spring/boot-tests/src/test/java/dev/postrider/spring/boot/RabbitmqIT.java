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

/** RabbitMQ, found where the application finds it. */
class RabbitmqIT {

    private final Broker rabbitmq = Servers.rabbitmq();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "spring.rabbitmq.host=" + rabbitmq.host(),
                    "spring.rabbitmq.port=" + rabbitmq.port(),
                    "spring.rabbitmq.username=" + rabbitmq.user(),
                    "spring.rabbitmq.password=" + rabbitmq.password(),
                    "postrider.schema-mode=create",
                    "postrider.destinations.rabbitmq.type=rabbitmq",
                    "postrider.destinations.rabbitmq.exchange-from-type=true",
                    "postrider.destinations.rabbitmq.declare-exchanges=true",
                    "postrider.subscribers.spring-boot-billing.type=rabbitmq");

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

    @Test
    void encryptsIfTheApplicationDoes() {
        application
                .withPropertyValues("spring.rabbitmq.ssl.enabled=true")
                .run(context -> assertThat(context.getBean(ApplicationBrokers.class)
                                .rabbitmq()
                                .isEncrypted())
                        .isTrue());
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

    @OutboxEvent(topic = "orders", key = "#{id}", type = "springboot.OrderPlaced")
    record OrderPlaced(String id) {}
}
