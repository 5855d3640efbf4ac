package dev.postrider.destination.rabbitmq;

import dev.postrider.internal.Range;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.EventTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Collects the options of a {@link RabbitmqDestination}. A bad value is refused at once. Not thread-safe. */
public final class RabbitmqDestinationBuilder extends RabbitmqConnectionBuilder<RabbitmqDestinationBuilder> {

    private static final int MIB = 1 << 20;

    private final String name;
    private EventMode eventMode = EventMode.BINARY;
    private Routing routing = Routing.BY_TOPIC_AND_TYPE;
    private boolean allowsInternalTopics;
    private String source = "/postrider";
    private boolean isPersistent = true;
    private boolean declaresExchanges;
    private final Set<String> exchanges = new LinkedHashSet<>();
    private List<String> checkedQueues = List.of();
    private int channels = 4;
    private int maxInFlight = 2000;
    private int maxPayloadBytes = 128 * MIB;
    private Duration deliveryTimeout = Duration.ofSeconds(8);
    private boolean allowsReorderingOnRefusal;

    RabbitmqDestinationBuilder(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    @Override
    RabbitmqDestinationBuilder self() {
        return this;
    }

    /** How messages look at the broker. Default: {@link EventMode#BINARY}. */
    public RabbitmqDestinationBuilder eventMode(EventMode value) {
        this.eventMode = Objects.requireNonNull(value, "eventMode");
        return this;
    }

    /** The CloudEvents source of messages without the header {@code ce_source}: a URI reference. Default: {@code /postrider}. */
    public RabbitmqDestinationBuilder source(String value) {
        this.source = Objects.requireNonNull(value, "source");
        return this;
    }

    /** Chooses the exchange that a message goes to. Default: its topic. */
    public RabbitmqDestinationBuilder exchange(Function<OutboxMessage, String> value) {
        this.routing = routing.withExchange(Objects.requireNonNull(value, "exchange"));
        return this;
    }

    /** A message of type {@code com.example.orders.Placed} goes to the exchange {@code com.example.orders}. */
    public RabbitmqDestinationBuilder exchangeFromType() {
        return exchange(Routing::beforeLastDot);
    }

    /**
     * Sends also to the default exchange, which leads into any queue by its name, and to exchanges that begin with {@code amq.}, such as
     * {@code amq.topic}. Default: such messages are rejected, since whoever can write a topic into the outbox chooses the exchange.
     */
    public RabbitmqDestinationBuilder allowInternalTopics() {
        this.allowsInternalTopics = true;
        return this;
    }

    /** Chooses the routing key that a message is published with. Default: its type after the last dot. */
    public RabbitmqDestinationBuilder routingKey(Function<OutboxMessage, String> value) {
        this.routing = routing.withRoutingKey(Objects.requireNonNull(value, "routingKey"));
        return this;
    }

    /** Publishes all messages with the same routing key. */
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

    /**
     * The queues behind the exchanges, for {@link RabbitmqDestination#checks}: the broker does not tell them to a client. Default:
     * none, so no queue is looked at.
     */
    public RabbitmqDestinationBuilder checkedQueues(String... values) {
        this.checkedQueues = List.of(values);
        return this;
    }

    /** Declares an exchange that is missing, as a durable topic exchange. Default: messages to it fail. */
    public RabbitmqDestinationBuilder declareExchanges() {
        this.declaresExchanges = true;
        return this;
    }

    /**
     * The same, and declares the exchanges of these services with each connection, so that queues can be bound before anything is published:
     * pass {@code SERVICES} of the generated class.
     */
    public RabbitmqDestinationBuilder declareExchanges(Collection<? extends EventTopics> services) {
        services.forEach(service -> exchanges.addAll(service.topicsByType().values()));
        return declareExchanges();
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

    /**
     * Has many messages of a key on their way at once, which is many times faster for a busy key. RabbitMQ goes on after a message that it
     * refuses: where a queue is full and refuses, or no queue takes a message, later messages of the key arrive before it. So use it only if no
     * queue has a length limit with {@code reject-publish} and every message has a queue. Messages that go to several queues are
     * in order within each. Default: off, each message of a key waits for the confirm of the one before.
     */
    public RabbitmqDestinationBuilder allowReorderingOnRefusal() {
        this.allowsReorderingOnRefusal = true;
        return this;
    }

    /** Builds the destination; it connects with the first message. */
    public RabbitmqDestination build() {
        RabbitmqOptions options = new RabbitmqOptions(
                name,
                access(),
                new DeclaredExchanges(declaresExchanges, Set.copyOf(exchanges)),
                checkedQueues,
                channels,
                maxInFlight,
                maxPayloadBytes,
                deliveryTimeout,
                allowsReorderingOnRefusal);
        Routing checked = allowsInternalTopics ? routing.withInternal() : routing;
        return new RabbitmqDestination(options, new EventMapping(eventMode, checked, source, isPersistent));
    }
}
