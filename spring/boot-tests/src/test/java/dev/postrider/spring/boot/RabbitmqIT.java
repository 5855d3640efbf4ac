package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** RabbitMQ, found where the application finds it. */
class RabbitmqIT {

    private final Broker rabbitmq = Servers.rabbitmq();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(OrderShop.class)
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
        application.run(context -> OrderShop.assertCarries(context, 1));
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
}
