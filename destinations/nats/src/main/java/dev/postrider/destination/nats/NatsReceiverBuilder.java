package dev.postrider.destination.nats;

import dev.postrider.internal.Range;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverListener;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Collects the options of a {@link NatsReceiver}. A bad value is refused at once. Not thread-safe. */
public final class NatsReceiverBuilder {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,200}");

    private final String consumer;
    private final String stream;
    private List<String> servers = List.of("nats://localhost:4222");
    private String user = "";
    private String password = "";
    private Optional<SSLContext> tls = Optional.empty();
    private List<String> subjects = List.of();
    private Optional<StreamConfiguration> streamToCreate = Optional.empty();
    private boolean createConsumer = true;
    private boolean createParkingStream;
    private Optional<String> parkingSubject = Optional.empty();
    private Optional<String> keyAttribute = Optional.empty();
    private int prefetch = 100;
    private int maxAttempts = 10;
    private Backoff backoff = Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));
    private Duration ackWait = Duration.ofSeconds(30);
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Consumer<Options.Builder> customizer = builder -> {};
    private ReceiverListener listener = ReceiverListener.NONE;

    NatsReceiverBuilder(String consumer, String stream) {
        this.consumer = checkedName("consumer", consumer);
        this.stream = checkedName("stream", stream);
    }

    private static String checkedName(String option, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    option + " is '" + name + "', expected 1 to 200 letters, digits, underscores and dashes");
        }
        return name;
    }

    /** The URLs of the servers; one that answers is used. Default: {@code nats://localhost:4222}. */
    public NatsReceiverBuilder servers(String... urls) {
        this.servers = ServerUrls.checked(urls);
        return this;
    }

    /** User name and password. Default: none. For tokens, NKeys and credential files see {@link #customize}. */
    public NatsReceiverBuilder credentials(String userName, String userPassword) {
        this.user = Objects.requireNonNull(userName, "userName");
        this.password = Objects.requireNonNull(userPassword, "userPassword");
        return this;
    }

    /** Encrypts, and checks the server's certificate and host name against what this JVM trusts. Default: no TLS. */
    public NatsReceiverBuilder tls() {
        return tls(HostCheckingTls.standard());
    }

    /** Encrypts with this context, which decides what certificates are trusted and which one is shown; host names are checked. */
    public NatsReceiverBuilder tls(SSLContext context) {
        this.tls = Optional.of(Objects.requireNonNull(context, "context"));
        return this;
    }

    /** Which subjects of the stream to receive, wildcards allowed. Default: all. */
    public NatsReceiverBuilder subjects(String... filters) {
        this.subjects = List.of(filters);
        return this;
    }

    /** Creates the stream if it is missing when the receiver starts. Default: a missing stream is an error. */
    public NatsReceiverBuilder createStream(StreamConfiguration value) {
        if (!stream.equals(value.getName())) {
            throw new IllegalArgumentException(
                    "createStream has the name '" + value.getName() + "', expected '" + stream + "'");
        }
        this.streamToCreate = Optional.of(value);
        return this;
    }

    /** Whether to create the durable consumer if it is missing; if not, a missing one is an error. Default: true. */
    public NatsReceiverBuilder createConsumer(boolean value) {
        this.createConsumer = value;
        return this;
    }

    /**
     * Whether to create a stream for parked messages, {@code <consumer>-parked}, if no stream takes the parking subject; if not, that is
     * an error. Default: false.
     */
    public NatsReceiverBuilder createParkingStream(boolean value) {
        this.createParkingStream = value;
        return this;
    }

    /** Where messages go that can never be handled. A stream must take it. Default: {@code parked.<consumer>}. */
    public NatsReceiverBuilder parkingSubject(String subject) {
        this.parkingSubject = Optional.of(Subjects.OF_APPLICATIONS.checked(subject));
        return this;
    }

    /**
     * Hands over events with the same value of this attribute, {@code subject} or an extension, one at a time and in order, as if it was
     * their key; for events of producers that know no keys. One without it goes by its key. Default: none, all go by their keys.
     */
    public NatsReceiverBuilder keyAttribute(String name) {
        this.keyAttribute = Optional.of(Objects.requireNonNull(name, "name"));
        return this;
    }

    /** How many messages may be handed over and not settled. Default: 100. Range: 1 to 10,000. */
    public NatsReceiverBuilder prefetch(int value) {
        this.prefetch = Range.of("prefetch", value, 1, 10_000);
        return this;
    }

    /**
     * How often a message is delivered before it is parked. The server counts: deliveries that ended with a crash of the consumer, a
     * lost connection or the closing of the receiver count too. Default: 10. Range: 1 to 1,000,000.
     */
    public NatsReceiverBuilder maxAttempts(int value) {
        this.maxAttempts = Range.of("maxAttempts", value, 1, 1_000_000);
        return this;
    }

    /** How long a failed message stays away. Default: exponential, 500 ms to 30 s. */
    public NatsReceiverBuilder backoff(Backoff value) {
        this.backoff = Objects.requireNonNull(value, "backoff");
        return this;
    }

    /**
     * How long the server waits before it gives a message of a dead consumer to another, for a consumer that is created. A live one
     * tells the server that it is still at it. Default: 30 seconds. Range: 1 second to 1 hour.
     */
    public NatsReceiverBuilder ackWait(Duration value) {
        this.ackWait = Range.of("ackWait", value, Duration.ofSeconds(1), Duration.ofHours(1));
        return this;
    }

    /** How long opening a connection may take. Default: 3 seconds. Range: 100 ms to 1 minute. */
    public NatsReceiverBuilder connectTimeout(Duration value) {
        this.connectTimeout = Range.of("connectTimeout", value, Duration.ofMillis(100), Duration.ofMinutes(1));
        return this;
    }

    /** How long close waits for messages that are on their way to the parking subject. Default: 10 seconds. Range: 0 to 1 hour. */
    public NatsReceiverBuilder closeTimeout(Duration value) {
        this.closeTimeout = Range.of("closeTimeout", value, Duration.ZERO, Duration.ofHours(1));
        return this;
    }

    /** Changes further settings of the client before each connection, such as tokens or credential files. */
    public NatsReceiverBuilder customize(Consumer<Options.Builder> value) {
        this.customizer = Objects.requireNonNull(value, "customizer");
        return this;
    }

    /** Told of what the receiver does, such as {@code ReceiverMetrics}. Default: none. */
    public NatsReceiverBuilder listener(ReceiverListener value) {
        this.listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /** Builds the receiver; it connects when it is started. */
    public NatsReceiver build() {
        NatsOptions access = new NatsOptions(
                consumer,
                servers,
                user,
                password,
                tls,
                Optional.empty(),
                prefetch,
                Duration.ofSeconds(8),
                connectTimeout,
                customizer);
        return new NatsReceiver(new NatsReceiverOptions(
                access,
                consumer,
                stream,
                subjects,
                streamToCreate,
                createConsumer,
                createParkingStream,
                parkingSubject.orElse("parked." + consumer),
                prefetch,
                maxAttempts,
                backoff,
                ackWait,
                closeTimeout,
                listener,
                keyAttribute));
    }
}
