package dev.postrider.spring.boot;

import dev.postrider.destination.rabbitmq.RabbitmqConnectionBuilder;
import dev.postrider.service.config.ConfigException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * How the application gets to RabbitMQ.
 *
 * @param addresses each {@code host:port}, or a whole URI
 * @param bundle with which it encrypts, if one is named
 */
record RabbitmqAccess(
        List<String> addresses,
        String user,
        String password,
        Optional<String> virtualHost,
        boolean isEncrypted,
        Optional<SslBundle> bundle) {

    private static final String KEYS = "spring.rabbitmq.";
    private static final String GUEST = "guest";

    /** Of Boot's description of the connection. */
    static RabbitmqAccess of(
            Stream<String> addresses,
            @Nullable String user,
            @Nullable String password,
            @Nullable String virtualHost,
            @Nullable SslBundle bundle) {
        return new RabbitmqAccess(
                addresses.toList(),
                Optional.ofNullable(user).orElse(GUEST),
                Optional.ofNullable(password).orElse(GUEST),
                Optional.ofNullable(virtualHost),
                bundle != null,
                Optional.ofNullable(bundle));
    }

    static RabbitmqAccess ofKeys(Binder binder, ObjectProvider<SslBundles> bundles) {
        Keys keys = new Keys(binder);
        Optional<SslBundle> bundle =
                keys.text("ssl.bundle").map(name -> bundles.getObject().getBundle(name));
        boolean isEncrypted = bundle.isPresent()
                || keys.text("ssl.enabled").filter("true"::equals).isPresent();
        return new RabbitmqAccess(
                keys.addresses(isEncrypted),
                keys.text("username").orElse(GUEST),
                keys.text("password").orElse(GUEST),
                keys.text("virtual-host"),
                isEncrypted,
                bundle);
    }

    /** @throws ConfigException if the application has certificates that would not be used here */
    static void refuseStores(Binder binder) {
        Keys keys = new Keys(binder);
        if (keys.text("ssl.enabled").filter("false"::equals).isPresent()) {
            return;
        }
        for (String store : List.of("ssl.key-store", "ssl.trust-store")) {
            if (keys.text(store).isPresent()) {
                throw new ConfigException(KEYS + store
                        + " is not read by Postrider; put it into a bundle, and name that in " + KEYS + "ssl.bundle");
            }
        }
    }

    RabbitmqAccess encrypted() {
        return new RabbitmqAccess(addresses, user, password, virtualHost, true, bundle);
    }

    void applyTo(RabbitmqConnectionBuilder<?> builder) {
        builder.credentials(user, password);
        virtualHost.ifPresent(builder::virtualHost);
        if (bundle.isPresent()) {
            builder.tls(bundle.get().createSslContext());
        } else if (isEncrypted) {
            builder.tls();
        }
        if (addresses.size() == 1 && addresses.get(0).contains("://")) {
            builder.uri(addresses.get(0));
        } else {
            builder.addresses(addresses.toArray(String[]::new));
        }
    }

    /** The keys that matter here. */
    private record Keys(Binder binder) {

        Optional<String> text(String key) {
            return Optional.ofNullable(binder.bind(KEYS + key, String.class).orElse(null));
        }

        List<String> addresses(boolean isEncrypted) {
            List<String> given = binder.bind(KEYS + "addresses", Bindable.listOf(String.class))
                    .orElse(List.of());
            String port = text("port").orElse(isEncrypted ? "5671" : "5672");
            return given.isEmpty() ? List.of(text("host").orElse("localhost") + ":" + port) : given;
        }
    }
}
