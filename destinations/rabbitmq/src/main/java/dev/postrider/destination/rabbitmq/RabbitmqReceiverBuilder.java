package dev.postrider.destination.rabbitmq;

import dev.postrider.internal.Range;
import dev.postrider.spi.EventTopics;
import dev.postrider.spi.ReceiverListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The options that both kinds of receivers have. A bad value is refused at once. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract sealed class RabbitmqReceiverBuilder<B extends RabbitmqReceiverBuilder<B>>
        extends RabbitmqConnectionBuilder<B> permits PlainReceiverBuilder, ParkingLotReceiverBuilder {

    private final QueueNames names;
    private int prefetch = 16;
    private boolean declaresTopology;
    private boolean isQuorum;
    private boolean hasSingleActiveConsumer;
    private boolean bindsTypes;
    private boolean declaresExchanges;
    private final Set<String> exchanges = new TreeSet<>();
    private Optional<String> keyAttribute = Optional.empty();
    private final Map<String, String> topics = new LinkedHashMap<>();
    private final List<EventBindings.Binding> bindings = new ArrayList<>();
    private Optional<Duration> recoveryTimeout = Optional.empty();
    private LongSupplier nanoTime = System::nanoTime;
    private ReceiverListener listener = ReceiverListener.NONE;

    RabbitmqReceiverBuilder(String queue) {
        this.names = new QueueNames(queue);
    }

    /**
     * How many messages may be handed over and not settled, on this receiver. More of them keep more handlers busy; with few, messages that
     * wait for a retry in their place soon leave no room for others. Default: 16. Range: 1 to 10,000.
     */
    public B prefetch(int value) {
        this.prefetch = Range.of("prefetch", value, 1, 10_000);
        return self();
    }

    /**
     * Declares the queue and what belongs to it each time it connects, all durable. Default: all must exist, and the start fails if
     * something is missing.
     */
    public B declareTopology() {
        this.declaresTopology = true;
        return self();
    }

    /**
     * Declares the queues as quorum queues, which are replicated and count deliveries; for {@link #declareTopology}. Default: classic
     * queues.
     */
    public B quorumQueues() {
        this.isQuorum = true;
        return self();
    }

    /**
     * Declares the queue so that of all its consumers one gets everything and another takes over when it ends: several instances of a
     * service then keep the order of a key. For {@link #declareTopology}. Default: they share the messages.
     */
    public B singleActiveConsumer() {
        this.hasSingleActiveConsumer = true;
        return self();
    }

    /**
     * Binds the queue for each type of the subscription: {@code example.books.v1.BookCreated} at the exchange
     * {@code example.books.v1}, or that of the topic which its {@code EventType} has, by the routing key {@code BookCreated}. Default: no
     * bindings are made.
     */
    public B bindEvents() {
        this.bindsTypes = true;
        return self();
    }

    /**
     * The same, with the exchanges of these services: pass {@code SERVICES} of the generated class. A subscriber with a handler for
     * everything is bound for all events of these services.
     */
    public B bindEvents(Collection<? extends EventTopics> services) {
        services.forEach(service -> topics.putAll(service.topicsByType()));
        return bindEvents();
    }

    /** Binds the queue to this exchange too, by this routing key; may be called several times. Default: none. */
    public B bindTo(String exchange, String routingKey) {
        bindings.add(new EventBindings.Binding(
                Objects.requireNonNull(exchange, "exchange"), Objects.requireNonNull(routingKey, "routingKey")));
        return self();
    }

    /**
     * Declares the exchanges to bind to, as durable topic exchanges, so that a receiver may start before the first publisher. Default: a
     * missing one fails the start.
     */
    public B declareExchanges() {
        this.declaresExchanges = true;
        return self();
    }

    /** The same, and those of these services whether the queue is bound to them or not: pass {@code SERVICES} of the generated class. */
    public B declareExchanges(Collection<? extends EventTopics> services) {
        services.forEach(service -> exchanges.addAll(service.topicsByType().values()));
        return declareExchanges();
    }

    /**
     * Hands over events with the same value of this attribute, {@code subject} or an extension, one at a time and in order, as if it was
     * their key; for events of producers that know no keys. One without it goes by its key. Default: none, all go by their keys.
     */
    public B keyAttribute(String name) {
        this.keyAttribute = Optional.of(Objects.requireNonNull(name, "name"));
        return self();
    }

    /**
     * How long it tries to get a lost connection or consumer back before it ends with an error. Then nothing is received until somebody
     * starts a new receiver, so end the process when {@link RabbitmqReceiver#termination} fails. Default: none, it tries until it is
     * back. Range: 0, with which the first loss ends it, to 1 day.
     */
    public B recoveryTimeout(Duration value) {
        this.recoveryTimeout = Optional.of(Range.of("recoveryTimeout", value, Duration.ZERO, Duration.ofDays(1)));
        return self();
    }

    /** Measures the recovery; for tests. */
    final B nanoTime(LongSupplier value) {
        this.nanoTime = value;
        return self();
    }

    /** Told of what the receiver does, such as {@code ReceiverMetrics}. Default: none. */
    public B listener(ReceiverListener value) {
        this.listener = Objects.requireNonNull(value, "listener");
        return self();
    }

    final QueueNames names() {
        return names;
    }

    final boolean declaresQueues() {
        return declaresTopology;
    }

    final int prefetch() {
        return prefetch;
    }

    final QueueArguments arguments() {
        return new QueueArguments(isQuorum, hasSingleActiveConsumer);
    }

    final ReceiverOptions options(Topology topology) {
        if (!declaresTopology && (isQuorum || hasSingleActiveConsumer)) {
            throw new IllegalStateException(
                    "quorumQueues() and singleActiveConsumer() say how queues are declared, and this receiver declares"
                            + " none: add declareTopology()");
        }
        EventBindings all = new EventBindings(
                bindsTypes,
                Map.copyOf(topics),
                List.copyOf(bindings),
                new DeclaredExchanges(declaresExchanges, Set.copyOf(exchanges)));
        return new ReceiverOptions(
                access(),
                names,
                prefetch,
                keyAttribute,
                topology,
                declaresTopology,
                all,
                recoveryTimeout,
                nanoTime,
                listener);
    }

    /** Builds the receiver; it connects when it is started. */
    public abstract RabbitmqReceiver build();
}
