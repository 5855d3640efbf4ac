package dev.postrider.spring.boot;

import dev.postrider.testservers.Broker;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.PrivateKafka;
import dev.postrider.testservers.PrivateRabbitmq;
import dev.postrider.testservers.RabbitmqServer;
import dev.postrider.testservers.Servers;
import dev.postrider.testservers.TestCertificate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Brokers that beans of type ConnectionDetails describe, as Testcontainers makes them, and brokers with certificates from bundles. */
class ServiceConnectionIT {

    private final String topic = "orders-" + UUID.randomUUID();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(OrderShop.class)
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "orders.topic=" + topic,
                    "postrider.schema-mode=create",
                    // Where nobody listens.
                    "spring.kafka.bootstrap-servers=localhost:1",
                    "spring.rabbitmq.port=1");

    private final ApplicationContextRunner withKafka = application.withPropertyValues(
            "postrider.destinations.kafka.type=kafka",
            "postrider.subscribers.spring-boot-billing.type=kafka",
            "postrider.subscribers.spring-boot-billing.topics=" + topic,
            "postrider.subscribers.spring-boot-billing.create-topics=1 x 1");

    private final ApplicationContextRunner withRabbitmq = application.withPropertyValues(
            "postrider.destinations.rabbitmq.type=rabbitmq",
            "postrider.destinations.rabbitmq.exchange-from-type=true",
            "postrider.destinations.rabbitmq.declare-exchanges=true",
            "postrider.subscribers.spring-boot-billing.type=rabbitmq");

    private final String[] bundle = {
        "spring.ssl.bundle.pem.broker.truststore.certificate=file:"
                + TestCertificate.forThisMachine().certificatePem()
    };

    @Test
    void kafkaOfABean() {
        Broker kafka = Servers.kafka();
        assertCarries(withKafka.withInitializer(
                ConnectionDetails.kafka(Map.of("getBootstrapServers", List.of(kafka.host() + ":" + kafka.port())))));
    }

    @Test
    void rabbitmqOfABean() {
        Broker rabbitmq = Servers.rabbitmq();
        assertCarries(withRabbitmq.withInitializer(ConnectionDetails.bean(
                ConnectionDetails.rabbitmqType(),
                Map.of(
                        "getAddresses",
                        List.of(ConnectionDetails.rabbitmqAddress(rabbitmq.host(), rabbitmq.port())),
                        "getUsername",
                        rabbitmq.user(),
                        "getPassword",
                        rabbitmq.password()))));
    }

    @Test
    void kafkaWithACertificateFromABundle() {
        try (PrivateKafka kafka = KafkaServer.startPrivate()) {
            assertCarries(withKafka
                    .withPropertyValues(bundle)
                    .withPropertyValues(
                            "spring.kafka.bootstrap-servers=localhost:" + kafka.tlsPort(),
                            "spring.kafka.security.protocol=SSL",
                            "spring.kafka.ssl.bundle=broker"));
        }
    }

    @Test
    void rabbitmqWithACertificateFromABundle() {
        try (PrivateRabbitmq rabbitmq = RabbitmqServer.startPrivate()) {
            assertCarries(withRabbitmq
                    .withPropertyValues(bundle)
                    .withPropertyValues(
                            "spring.rabbitmq.port=" + rabbitmq.tlsPort(),
                            "spring.rabbitmq.username=" + rabbitmq.user(),
                            "spring.rabbitmq.password=" + rabbitmq.password(),
                            "spring.rabbitmq.ssl.enabled=true",
                            "spring.rabbitmq.ssl.bundle=broker"));
        }
    }

    private static void assertCarries(ApplicationContextRunner application) {
        application.run(context -> OrderShop.assertCarries(context, 1));
    }
}
