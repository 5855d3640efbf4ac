package dev.postrider.spring.boot;

import dev.postrider.service.config.ConfigException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.io.ResourceLoader;

/** The keys {@code spring.kafka}, for applications without spring-kafka. What stands for one kind of client goes first. */
final class KafkaKeys {

    static final String SERVERS = "bootstrap.servers";

    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("security.protocol", "security.protocol"),
            Map.entry("ssl.key-password", "ssl.key.password"),
            Map.entry("ssl.key-store-certificate-chain", "ssl.keystore.certificate.chain"),
            Map.entry("ssl.key-store-key", "ssl.keystore.key"),
            Map.entry("ssl.key-store-password", "ssl.keystore.password"),
            Map.entry("ssl.key-store-type", "ssl.keystore.type"),
            Map.entry("ssl.trust-store-certificates", "ssl.truststore.certificates"),
            Map.entry("ssl.trust-store-password", "ssl.truststore.password"),
            Map.entry("ssl.trust-store-type", "ssl.truststore.type"),
            Map.entry("ssl.protocol", "ssl.protocol"));

    private static final Map<String, String> FILES = Map.of(
            "ssl.key-store-location", "ssl.keystore.location",
            "ssl.trust-store-location", "ssl.truststore.location");

    private static final String ALL = "spring.kafka.";

    private final Binder binder;
    private final ResourceLoader resources;

    KafkaKeys(Binder binder, ResourceLoader resources) {
        this.binder = binder;
        this.resources = resources;
    }

    Map<String, Object> client(KafkaClient kind) {
        Map<String, Object> client = new HashMap<>();
        client.put(SERVERS, "localhost:9092");
        addTo(client, ALL);
        addTo(client, ALL + kind.key() + ".");
        return client;
    }

    private void addTo(Map<String, Object> client, String level) {
        if (binder.bind(level + "ssl.bundle", String.class).isBound()) {
            throw new ConfigException(
                    level + "ssl.bundle needs spring-kafka on the class path; add it, or set the other keys of"
                            + " spring.kafka.ssl");
        }
        binder.bind(level + "bootstrap-servers", Bindable.listOf(String.class))
                .ifBound(servers -> client.put(SERVERS, joined(servers)));
        TEXTS.forEach(
                (key, property) -> binder.bind(level + key, String.class).ifBound(text -> client.put(property, text)));
        FILES.forEach((key, property) ->
                binder.bind(level + key, String.class).ifBound(text -> client.put(property, path(level + key, text))));
        binder.bind(level + "properties", Bindable.mapOf(String.class, String.class))
                .ifBound(client::putAll);
    }

    private String path(String key, String location) {
        try {
            return resources.getResource(location).getFile().getAbsolutePath();
        } catch (IOException unreadable) {
            throw new ConfigException(
                    key + " is '" + location + "', which is no file that Kafka's client could read", unreadable);
        }
    }

    /** Kafka's clients take a list or a text; the builder takes a text. */
    static String joined(Object servers) {
        return servers instanceof Iterable<?> several
                ? String.join(
                        ",",
                        StreamSupport.stream(several.spliterator(), false)
                                .map(String::valueOf)
                                .toList())
                : String.valueOf(servers);
    }
}
