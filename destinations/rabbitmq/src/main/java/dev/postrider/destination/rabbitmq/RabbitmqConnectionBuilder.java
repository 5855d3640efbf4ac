package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.internal.Range;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * The options that say how to reach RabbitMQ, the same for what sends to it and what receives from it. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract sealed class RabbitmqConnectionBuilder<B extends RabbitmqConnectionBuilder<B>>
        permits RabbitmqDestinationBuilder, RabbitmqReceiverBuilder {

    private static final int PLAIN_PORT = 5672;
    private static final int TLS_PORT = 5671;

    private List<String> addresses = List.of("localhost");
    private String user = "guest";
    private String password = "guest";
    private String virtualHost = "/";
    private Optional<SSLContext> tls = Optional.empty();
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Consumer<ConnectionFactory> customizer = factory -> {};

    RabbitmqConnectionBuilder() {}

    abstract B self();

    /**
     * The nodes of the broker, each {@code host} or {@code host:port}; one that answers is used. Default: {@code localhost}, on
     * port 5672, with TLS 5671.
     */
    public B addresses(String... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("addresses is empty, expected at least one host or host:port");
        }
        for (int i = 0; i < values.length; i++) {
            check(values[i], i + 1);
        }
        this.addresses = List.of(values);
        return self();
    }

    /** Quotes nothing: whoever gives a whole URI here gives a password as well. */
    private static void check(String address, int number) {
        try {
            if (!address.contains("@")) {
                Address.parseAddress(address);
                return;
            }
        } catch (IllegalArgumentException invalid) {
            // Refused below.
        }
        throw new IllegalArgumentException(
                "addresses has no host or host:port at number " + number + "; give a whole address to uri");
    }

    /** User name and password. Default: {@code guest} and {@code guest}, which brokers accept on their own machine only. */
    public B credentials(String userName, String userPassword) {
        this.user = Objects.requireNonNull(userName, "userName");
        this.password = Objects.requireNonNull(userPassword, "userPassword");
        return self();
    }

    /** The virtual host. Default: {@code /}. */
    public B virtualHost(String value) {
        this.virtualHost = Objects.requireNonNull(value, "virtualHost");
        return self();
    }

    /**
     * Address, credentials, virtual host and whether to use TLS, all in one: {@code amqps://user:password@host:port/vhost}. What
     * the URI leaves out stays as it was. With {@code amqps} the broker's certificate must be trusted by this JVM, or by a context
     * given to {@link #tls(SSLContext)}.
     */
    public B uri(String value) {
        URI uri = parsed(value);
        boolean isTls = "amqps".equals(uri.getScheme());
        if ((!isTls && !"amqp".equals(uri.getScheme())) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "The URI is not of the form amqp[s]://[user:password@]host[:port][/vhost]");
        }
        addresses(uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort());
        if (uri.getRawUserInfo() != null) {
            String[] account = (uri.getRawUserInfo() + ":").split(":", 3);
            credentials(decoded(account[0]), decoded(account[1]));
        }
        if (uri.getRawPath() != null && uri.getRawPath().length() > 1) {
            virtualHost(decoded(uri.getRawPath().substring(1)));
        }
        return isTls && tls.isEmpty() ? tls() : self();
    }

    private static URI parsed(String value) {
        try {
            return new URI(value);
        } catch (URISyntaxException invalid) {
            // Not as the cause: its text quotes the address, and with it the password.
            throw new IllegalArgumentException("The URI is not valid (" + invalid.getReason()
                    + "); write characters such as space, ^, @, / and % in a password as %20, %5E, %40, %2F, %25,"
                    + " or use user and password");
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Encrypts, and checks the broker's certificate and host name against what this JVM trusts. Default: no TLS. */
    public B tls() {
        try {
            return tls(SSLContext.getDefault());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("This JVM has no TLS", impossible);
        }
    }

    /** Encrypts with this context, which decides what certificates are trusted and which one is shown; host names are checked. */
    public B tls(SSLContext context) {
        this.tls = Optional.of(Objects.requireNonNull(context, "context"));
        return self();
    }

    /** How long opening a connection and each answer of the broker may take. Default: 3 seconds. Range: 100 ms to 1 minute. */
    public B connectTimeout(Duration value) {
        this.connectTimeout = Range.of("connectTimeout", value, Duration.ofMillis(100), Duration.ofMinutes(1));
        return self();
    }

    /**
     * Changes further settings of the client before each connection, such as heartbeat or SASL mechanism. Automatic recovery
     * stays off, since it would lose track of what is on its way.
     */
    public B customize(Consumer<ConnectionFactory> value) {
        this.customizer = Objects.requireNonNull(value, "customizer");
        return self();
    }

    final BrokerAccess access() {
        return new BrokerAccess(
                addresses.stream().map(this::address).toList(),
                user,
                password,
                virtualHost,
                tls,
                connectTimeout,
                customizer);
    }

    private Address address(String text) {
        Address parsed = Address.parseAddress(text);
        int usual = tls.isPresent() ? TLS_PORT : PLAIN_PORT;
        return parsed.getPort() < 0 ? new Address(parsed.getHost(), usual) : parsed;
    }
}
