package dev.postrider.spring.boot;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * The brokers that the application itself uses: from Spring's clients where they are there, which know service connections of Testcontainers
 * and Compose, else from {@code spring.kafka} and {@code spring.rabbitmq}.
 */
final class ApplicationBrokers {

    private static final List<String> TALKATIVE = List.of(
            // Since Kafka 4 all of them log under this name.
            "org.apache.kafka.common.config.AbstractConfig",
            "org.apache.kafka.clients.producer.ProducerConfig",
            "org.apache.kafka.clients.consumer.ConsumerConfig",
            "org.apache.kafka.clients.admin.AdminClientConfig");

    private final ListableBeanFactory beans;
    private final Environment environment;
    private final ResourceLoader resources;

    ApplicationBrokers(ListableBeanFactory beans, Environment environment, ResourceLoader resources) {
        this.beans = beans;
        this.environment = environment;
        this.resources = resources;
    }

    /** Properties of Kafka's clients: servers, security and SSL. */
    Map<String, Object> kafka(KafkaClient kind) {
        Map<String, Object> properties = isPresent("org.springframework.kafka.core.ProducerFactory")
                ? SpringKafka.client(beans, kind)
                : Map.of();
        if (!properties.isEmpty()) {
            return properties;
        }
        Map<String, Object> fromKeys = new KafkaKeys(Binder.get(environment), resources).client(kind);
        kafkaServers(kind).ifPresent(servers -> fromKeys.put(KafkaKeys.SERVERS, String.join(",", servers)));
        return fromKeys;
    }

    private Optional<List<String>> kafkaServers(KafkaClient kind) {
        if (isPresent("org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails")) {
            return Boot3Details.kafka(beans, kind);
        }
        return isPresent("org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails")
                ? Boot4Details.kafka(beans, kind)
                : Optional.empty();
    }

    RabbitmqAccess rabbitmq() {
        RabbitmqAccess.refuseStores(Binder.get(environment));
        boolean isEncrypted = environment.getProperty("spring.rabbitmq.ssl.enabled", Boolean.class, false);
        return isEncrypted ? describedRabbitmq().encrypted() : describedRabbitmq();
    }

    private RabbitmqAccess describedRabbitmq() {
        if (isPresent("org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails")) {
            return Boot3Details.rabbitmq(beans).orElseGet(this::rabbitmqFromKeys);
        }
        return isPresent("org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails")
                ? Boot4Details.rabbitmq(beans).orElseGet(this::rabbitmqFromKeys)
                : rabbitmqFromKeys();
    }

    private RabbitmqAccess rabbitmqFromKeys() {
        return RabbitmqAccess.ofKeys(Binder.get(environment), beans.getBeanProvider(SslBundles.class));
    }

    private boolean isPresent(String type) {
        return ClassUtils.isPresent(type, resources.getClassLoader());
    }

    /** Kafka's clients log all of their properties at each start, unless somebody has set the level of that logger. */
    void quietKafka() {
        LoggingSystem logging = LoggingSystem.get(requireNonNull(ClassUtils.getDefaultClassLoader()));
        for (String logger : TALKATIVE) {
            LoggerConfiguration found = logging.getLoggerConfiguration(logger);
            if (found == null || found.getConfiguredLevel() == null) {
                logging.setLogLevel(logger, LogLevel.WARN);
            }
        }
    }
}
