package dev.postrider.spring.boot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.ProducerFactory;

/** What Spring's producers and consumers for Kafka know of the broker. Loaded only where spring-kafka is there. */
final class SpringKafka {

    /** Not serializers, batches or acknowledgements, which are Postrider's own. */
    private static final List<String> CONNECTION = List.of("bootstrap.servers", "security.", "ssl.", "sasl.");

    private SpringKafka() {}

    /** Servers, security and SSL; empty if there is no factory of such clients, or which one is meant is not clear. */
    static Map<String, Object> client(ListableBeanFactory beans, KafkaClient kind) {
        Map<String, Object> client = new HashMap<>();
        factoryProperties(beans, kind).forEach((name, value) -> {
            if (isOfConnection(name)) {
                client.put(name, KafkaKeys.SERVERS.equals(name) ? KafkaKeys.joined(value) : value);
            }
        });
        return client;
    }

    private static Map<String, Object> factoryProperties(ListableBeanFactory beans, KafkaClient kind) {
        if (kind == KafkaClient.CONSUMER) {
            ConsumerFactory<?, ?> factory = (ConsumerFactory<?, ?>)
                    beans.getBeanProvider(ConsumerFactory.class).getIfUnique();
            return factory == null ? Map.of() : factory.getConfigurationProperties();
        }
        ProducerFactory<?, ?> factory = (ProducerFactory<?, ?>)
                beans.getBeanProvider(ProducerFactory.class).getIfUnique();
        return factory == null ? Map.of() : factory.getConfigurationProperties();
    }

    private static boolean isOfConnection(String name) {
        return name.equals(SslBundle.class.getName()) || CONNECTION.stream().anyMatch(name::startsWith);
    }
}
