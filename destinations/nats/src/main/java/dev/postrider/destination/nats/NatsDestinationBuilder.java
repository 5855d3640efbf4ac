package dev.postrider.destination.nats;

import dev.postrider.internal.Range;
import dev.postrider.message.OutboxMessage;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** Collects the options of a {@link NatsDestination}. A bad value is refused at once. Not thread-safe. */
public final class NatsDestinationBuilder {

    private final String name;
    private List<String> servers = List.of("nats://localhost:4222");
    private String user = "";
    private String password = "";
    private Optional<SSLContext> tls = Optional.empty();
    private Optional<String> expectedStream = Optional.empty();
    private Optional<StreamConfiguration> streamToCreate = Optional.empty();
    private Function<OutboxMessage, String> subject = OutboxMessage::topic;
    private boolean allowsInternalTopics;
    private String source = "/postrider";
    private int maxInFlight = 1000;
    private Duration deliveryTimeout = Duration.ofSeconds(8);
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Consumer<Options.Builder> customizer = builder -> {};

    NatsDestinationBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** The URLs of the servers; one that answers is used. Default: {@code nats://localhost:4222}. */
    public NatsDestinationBuilder servers(String... urls) {
        this.servers = ServerUrls.checked(urls);
        return this;
    }

    /** User name and password. Default: none. For tokens, NKeys and credential files see {@link #customize}. */
    public NatsDestinationBuilder credentials(String userName, String userPassword) {
        this.user = Objects.requireNonNull(userName, "userName");
        this.password = Objects.requireNonNull(userPassword, "userPassword");
        return this;
    }

    /** Encrypts, and checks the server's certificate and host name against what this JVM trusts. Default: no TLS. */
    public NatsDestinationBuilder tls() {
        return tls(HostCheckingTls.standard());
    }

    /** Encrypts with this context, which decides what certificates are trusted and which one is shown; host names are checked. */
    public NatsDestinationBuilder tls(SSLContext context) {
        this.tls = Optional.of(Objects.requireNonNull(context, "context"));
        return this;
    }

    /** Chooses the subject that a message goes to. Default: its topic. */
    public NatsDestinationBuilder subject(Function<OutboxMessage, String> value) {
        this.subject = Objects.requireNonNull(value, "subject");
        return this;
    }

    /**
     * Sends also to subjects that begin with {@code $} or {@code _INBOX.}, for example to write into a key-value bucket by {@code
     * $KV.bucket.key}. Whoever can write a topic into the outbox can then give orders to JetStream, as far as this user may. Default:
     * such messages are rejected.
     */
    public NatsDestinationBuilder allowInternalTopics() {
        this.allowsInternalTopics = true;
        return this;
    }

    /** The stream that must take the messages; if the subject belongs to another one, the message fails. Default: any stream. */
    public NatsDestinationBuilder expectedStream(String stream) {
        this.expectedStream = Optional.of(Objects.requireNonNull(stream, "stream"));
        return this;
    }

    /** Creates this stream when a message's subject has none. Default: such messages fail and are tried again. */
    public NatsDestinationBuilder createStream(StreamConfiguration stream) {
        this.streamToCreate = Optional.of(Objects.requireNonNull(stream, "stream"));
        return this;
    }

    /** The CloudEvents source of messages without the header {@code ce_source}: a URI reference. Default: {@code /postrider}. */
    public NatsDestinationBuilder source(String value) {
        this.source = Objects.requireNonNull(value, "source");
        return this;
    }

    /** How many messages may be on their way at once. Default: 1,000. Range: 1 to 100,000. */
    public NatsDestinationBuilder maxInFlight(int value) {
        this.maxInFlight = Range.of("maxInFlight", value, 1, 100_000);
        return this;
    }

    /**
     * How long a send may take, waiting and connecting included; without an acknowledgement by then the connection is given up.
     * Must not be longer than the relay's. Default: 8 seconds. Range: 100 ms to 30 minutes.
     */
    public NatsDestinationBuilder deliveryTimeout(Duration value) {
        this.deliveryTimeout = Range.of("deliveryTimeout", value, Duration.ofMillis(100), Duration.ofMinutes(30));
        return this;
    }

    /** How long opening a connection may take. Default: 3 seconds. Range: 100 ms to 1 minute. */
    public NatsDestinationBuilder connectTimeout(Duration value) {
        this.connectTimeout = Range.of("connectTimeout", value, Duration.ofMillis(100), Duration.ofMinutes(1));
        return this;
    }

    /**
     * Changes further settings of the client before each connection, such as tokens or credential files. Reconnecting stays off,
     * since the client would send messages whose end has been reported.
     */
    public NatsDestinationBuilder customize(Consumer<Options.Builder> value) {
        this.customizer = Objects.requireNonNull(value, "customizer");
        return this;
    }

    /** Builds the destination; it connects with the first message. */
    public NatsDestination build() {
        NatsOptions options = new NatsOptions(
                name,
                servers,
                user,
                password,
                tls,
                streamToCreate,
                maxInFlight,
                deliveryTimeout,
                connectTimeout,
                customizer);
        Subjects subjects = allowsInternalTopics ? Subjects.ALL : Subjects.OF_APPLICATIONS;
        return new NatsDestination(options, new EventMapping(subject, subjects, source, expectedStream));
    }
}
