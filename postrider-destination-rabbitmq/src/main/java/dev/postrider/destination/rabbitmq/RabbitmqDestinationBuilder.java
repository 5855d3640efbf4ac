package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.internal.Range;
import dev.postrider.message.OutboxMessage;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** Collects the options of a {@link RabbitmqDestination}. A bad value is refused at once. Not thread-safe. */
public final class RabbitmqDestinationBuilder {

    private static final int PLAIN_PORT = 5672;
    private static final int TLS_PORT = 5671;
    private static final int MIB = 1 << 20;

    private final String name;
    private List<String> addresses = List.of("localhost");
    private String user = "guest";
    private String password = "guest";
    private String virtualHost = "/";
    private Optional<SSLContext> tls = Optional.empty();
    private EventMode mode = EventMode.BINARY;
    private Routing routing = Routing.BY_TOPIC_AND_TYPE;
    private String source = "/postrider";
    private boolean isPersistent = true;
    private boolean declaresExchanges;
    private int channels = 4;
    private int maxInFlight = 2000;
    private int maxPayloadBytes = 128 * MIB;
    private Duration deliveryTimeout = Duration.ofSeconds(8);
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Consumer<ConnectionFactory> customizer = factory -> {};

    RabbitmqDestinationBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * The nodes of the broker, each {@code host} or {@code host:port}; one that answers is used. Default: {@code localhost}, on
     * port 5672, with TLS 5671.
     */
    public RabbitmqDestinationBuilder addresses(String... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("addresses is empty, expected at least one host or host:port");
        }
        Stream.of(values).forEach(Address::parseAddress);
        this.addresses = List.of(values);
        return this;
    }

    /** User name and password. Default: {@code guest} and {@code guest}, which brokers accept on their own machine only. */
    public RabbitmqDestinationBuilder credentials(String userName, String userPassword) {
        this.user = Objects.requireNonNull(userName, "userName");
        this.password = Objects.requireNonNull(userPassword, "userPassword");
        return this;
    }

    /** The virtual host. Default: {@code /}. */
    public RabbitmqDestinationBuilder virtualHost(String value) {
        this.virtualHost = Objects.requireNonNull(value, "virtualHost");
        return this;
    }

    /**
     * Address, credentials, virtual host and whether to use TLS, all in one: {@code amqps://user:password@host:port/vhost}. What
     * the URI leaves out stays as it was. With {@code amqps} the broker's certificate must be trusted by this JVM, or by a context
     * given to {@link #tls(SSLContext)}.
     */
    public RabbitmqDestinationBuilder uri(String value) {
        URI uri = URI.create(value);
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
        return isTls && tls.isEmpty() ? tls() : this;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Encrypts, and checks the broker's certificate and host name against what this JVM trusts. Default: no TLS. */
    public RabbitmqDestinationBuilder tls() {
        try {
            return tls(SSLContext.getDefault());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("This JVM has no TLS", impossible);
        }
    }

    /** Encrypts with this context, which decides what certificates are trusted and which one is shown; host names are checked. */
    public RabbitmqDestinationBuilder tls(SSLContext context) {
        this.tls = Optional.of(Objects.requireNonNull(context, "context"));
        return this;
    }

    /** How messages look at the broker. Default: {@link EventMode#BINARY}. */
    public RabbitmqDestinationBuilder eventMode(EventMode value) {
        this.mode = Objects.requireNonNull(value, "eventMode");
        return this;
    }

    /** The CloudEvents source of messages without the header {@code ce_source}: a URI reference. Default: {@code /postrider}. */
    public RabbitmqDestinationBuilder source(String value) {
        this.source = Objects.requireNonNull(value, "source");
        return this;
    }

    /** To which exchange a message goes. Default: its topic. */
    public RabbitmqDestinationBuilder exchange(Function<OutboxMessage, String> value) {
        this.routing = routing.withExchange(Objects.requireNonNull(value, "exchange"));
        return this;
    }

    /** A message of type {@code com.example.orders.Placed} goes to the exchange {@code com.example.orders}. */
    public RabbitmqDestinationBuilder exchangeFromType() {
        return exchange(Routing::beforeLastDot);
    }

    /** With which routing key a message is published. Default: its type after the last dot. */
    public RabbitmqDestinationBuilder routingKey(Function<OutboxMessage, String> value) {
        this.routing = routing.withRoutingKey(Objects.requireNonNull(value, "routingKey"));
        return this;
    }

    /** The same routing key for all messages. */
    public RabbitmqDestinationBuilder routingKey(String value) {
        Objects.requireNonNull(value, "routingKey");
        return routingKey(message -> value);
    }

    /**
     * Messages need not survive a restart of the broker: a confirm then means that the broker has them in memory. Default:
     * persistent.
     */
    public RabbitmqDestinationBuilder transientDelivery() {
        this.isPersistent = false;
        return this;
    }

    /** Declares an exchange that is missing, as a durable topic exchange. Default: messages to it fail. */
    public RabbitmqDestinationBuilder declareExchanges() {
        this.declaresExchanges = true;
        return this;
    }

    /** How many channels share the connection; the broker works on them in parallel. Default: 4. Range: 1 to 64. */
    public RabbitmqDestinationBuilder channels(int value) {
        this.channels = Range.of("channels", value, 1, 64);
        return this;
    }

    /** How many messages may be on their way at once. Default: 2,000. Range: 1 to 100,000. */
    public RabbitmqDestinationBuilder maxInFlight(int value) {
        this.maxInFlight = Range.of("maxInFlight", value, 1, 100_000);
        return this;
    }

    /**
     * The largest payload; a larger one is rejected before it is sent. Set it to the broker's {@code max_message_size}. Default:
     * 128 MiB. Range: 1 byte to 512 MiB.
     */
    public RabbitmqDestinationBuilder maxPayloadBytes(int value) {
        this.maxPayloadBytes = Range.of("maxPayloadBytes", value, 1, 512 * MIB);
        return this;
    }

    /**
     * How long a send may take, waiting and connecting included; without a confirm by then the connection is given up. Must not
     * be longer than the relay's. Default: 8 seconds. Range: 100 ms to 30 minutes.
     */
    public RabbitmqDestinationBuilder deliveryTimeout(Duration value) {
        this.deliveryTimeout = Range.of("deliveryTimeout", value, Duration.ofMillis(100), Duration.ofMinutes(30));
        return this;
    }

    /** How long opening a connection and each answer of the broker may take. Default: 3 seconds. Range: 100 ms to 1 minute. */
    public RabbitmqDestinationBuilder connectTimeout(Duration value) {
        this.connectTimeout = Range.of("connectTimeout", value, Duration.ofMillis(100), Duration.ofMinutes(1));
        return this;
    }

    /**
     * Changes further settings of the client before each connection, such as heartbeat or SASL mechanism. Automatic recovery
     * stays off, since it would lose track of confirms.
     */
    public RabbitmqDestinationBuilder customize(Consumer<ConnectionFactory> value) {
        this.customizer = Objects.requireNonNull(value, "customizer");
        return this;
    }

    /** Builds the destination; it connects with the first message. */
    public RabbitmqDestination build() {
        RabbitmqOptions options = new RabbitmqOptions(
                name,
                addresses.stream().map(this::address).toList(),
                user,
                password,
                virtualHost,
                tls,
                declaresExchanges,
                channels,
                maxInFlight,
                maxPayloadBytes,
                deliveryTimeout,
                connectTimeout,
                customizer);
        return new RabbitmqDestination(options, new EventMapping(mode, routing, source, isPersistent));
    }

    private Address address(String text) {
        Address parsed = Address.parseAddress(text);
        int usual = tls.isPresent() ? TLS_PORT : PLAIN_PORT;
        return parsed.getPort() < 0 ? new Address(parsed.getHost(), usual) : parsed;
    }
}
