package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.service.config.ConfigException;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.EventHandlers;
import dev.postrider.spring.SpringOutbox;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the starter takes from the keys of Spring's own clients; with these on the class path, and without. */
class ApplicationBrokersTest {

    private static final String[] CLIENTS = {"org.springframework.kafka", "org.springframework.amqp"};

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void destinationsAreProducersAndSubscribersConsumers(boolean hasClients) {
        application(hasClients)
                .withPropertyValues(
                        "spring.kafka.bootstrap-servers=all:1,all:2",
                        "spring.kafka.security.protocol=SASL_SSL",
                        "spring.kafka.ssl.trust-store-password=secret",
                        "spring.kafka.properties.sasl.mechanism=PLAIN",
                        "spring.kafka.producer.batch-size=7",
                        "spring.kafka.producer.properties.sasl.jaas.config=of producers",
                        "spring.kafka.consumer.bootstrap-servers=other:1",
                        "spring.kafka.consumer.properties.sasl.jaas.config=of consumers")
                .run(context -> {
                    ApplicationBrokers brokers = context.getBean(ApplicationBrokers.class);
                    Map<String, Object> common = Map.of(
                            "security.protocol", "SASL_SSL",
                            "ssl.truststore.password", "secret",
                            "sasl.mechanism", "PLAIN");
                    assertThat(brokers.kafka(KafkaClient.PRODUCER))
                            .containsAllEntriesOf(common)
                            .containsEntry("bootstrap.servers", "all:1,all:2")
                            .containsEntry("sasl.jaas.config", "of producers")
                            .doesNotContainKey("batch.size");
                    assertThat(brokers.kafka(KafkaClient.CONSUMER))
                            .containsAllEntriesOf(common)
                            .containsEntry("bootstrap.servers", "other:1")
                            .containsEntry("sasl.jaas.config", "of consumers");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"type=kafka", "type=rabbitmq", "type=nats servers=nats://localhost:1"})
    void anApplicationStartsAndWritesWhileItsBrokerIsAway(String destination) {
        application(true)
                .withUserConfiguration(Subscribed.class)
                .withPropertyValues(
                        "spring.kafka.bootstrap-servers=localhost:1",
                        "spring.rabbitmq.port=1",
                        "spring.lifecycle.timeout-per-shutdown-phase=1s",
                        "postrider.relay.enabled=true",
                        "postrider.subscribers.billing.type=rabbitmq")
                .withPropertyValues(Stream.of(destination.split(" "))
                        .map(key -> "postrider.destinations.out." + key)
                        .toArray(String[]::new))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    SpringOutbox outbox = context.getBean(SpringOutbox.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> outbox.enqueue(outbox.message("orders")
                                    .type("t")
                                    .json("{}")
                                    .build()));
                    assertThat(outbox.outbox().stats().undelivered()).isEqualTo(1);
                    assertThat(context.getBean(EventHandlers.class).receiving()).containsEntry("billing", false);
                });
    }

    /** It would encrypt with other certificates than the application. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesCertificatesOutsideOfABundle(boolean hasClients) {
        application(hasClients).run(context -> {
            assertThatThrownBy(() -> rabbitmq(context, "true"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("spring.rabbitmq.ssl.trust-store is not read by Postrider");
            assertThat(rabbitmq(context, "false").isEncrypted()).isFalse();
        });
    }

    private static RabbitmqAccess rabbitmq(AssertableApplicationContext context, String isEnabled) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("spring.rabbitmq.ssl.enabled", isEnabled)
                .withProperty("spring.rabbitmq.ssl.trust-store", "file:trusted.p12");
        return new ApplicationBrokers(context.getBeanFactory(), environment, context).rabbitmq();
    }

    private static ApplicationContextRunner application(boolean hasClients) {
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withUserConfiguration(Shop.class)
                .withPropertyValues(
                        "spring.datasource.generate-unique-name=true",
                        "postrider.schema-mode=create",
                        "postrider.relay.enabled=false");
        return hasClients ? application : application.withClassLoader(new FilteredClassLoader(CLIENTS));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    @Configuration(proxyBeanMethods = false)
    static class Subscribed {

        @EventHandler(subscriber = "billing")
        void bill(String event) {}
    }
}
