package dev.postrider.micrometer;

import dev.postrider.relay.Attempt;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.ReceiverListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What relays and receivers do as meters of OpenTelemetry's messaging conventions ({@link MessagingMeter}), for dashboards that show all clients
 * of brokers alike. An option: give it as a listener, beside Postrider's own meters or instead of them. Thread-safe.
 *
 * <pre>{@code
 * MessagingMetrics conventions = new MessagingMetrics(registry, destination -> "kafka");
 * Relay relay = Relay.builder(store, kafka).listener(conventions).build();
 * }</pre>
 */
public final class MessagingMetrics implements RelayListener, ReceiverListener {

    /** Those that the conventions advise. */
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(25), Duration.ofMillis(50),
        Duration.ofMillis(75), Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500),
        Duration.ofMillis(750), Duration.ofSeconds(1), Duration.ofMillis(2500), Duration.ofSeconds(5),
        Duration.ofMillis(7500), Duration.ofSeconds(10)
    };

    private static final String SEND = "send";
    private static final String PROCESS = "process";
    /** Prometheus wants the same labels on all meters of a name: no failure is an empty value, which it drops. */
    private static final String NO_ERROR = "";

    private final MeterRegistry registry;
    private final Function<String, String> systems;
    private final Map<Key, Meters> meters = new ConcurrentHashMap<>();

    /**
     * Registers meters when they are first needed.
     *
     * @param systems the value of {@code messaging.system} for the name of a destination or receiver: {@code kafka}, {@code rabbitmq},
     *     {@code nats}
     */
    public MessagingMetrics(MeterRegistry registry, Function<String, String> systems) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.systems = Objects.requireNonNull(systems, "systems");
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        count(attempt.destination(), SEND, NO_ERROR, took);
    }

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        count(attempt.destination(), SEND, errorType(failure), took);
    }

    @Override
    public void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
        count(attempt.destination(), SEND, errorType(outage), took);
    }

    @Override
    public void handled(String receiver, Duration took) {
        count(receiver, PROCESS, NO_ERROR, took);
    }

    @Override
    public void failed(String receiver, Duration took) {
        count(receiver, PROCESS, "failed", took);
    }

    /** Few values, known beforehand: the class of the cause, else what the destination made of it. */
    private static String errorType(DeliveryResult.Failed failure) {
        return failure.cause()
                .map(cause -> cause.getClass().getName())
                .orElseGet(() -> failure.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    }

    private void count(String name, String operation, String error, Duration took) {
        Meters found = meters.computeIfAbsent(new Key(name, operation, error), this::register);
        found.messages().increment();
        found.time().record(took);
    }

    private Meters register(Key key) {
        boolean isSend = key.operation().equals(SEND);
        MessagingMeter messages = isSend ? MessagingMeter.SENT : MessagingMeter.CONSUMED;
        MessagingMeter time = isSend ? MessagingMeter.OPERATION : MessagingMeter.PROCESS;
        Tags tags = Tags.of(
                MessagingMeter.SYSTEM_TAG, systems.apply(key.name()),
                MessagingMeter.OPERATION_TAG, key.operation(),
                MessagingMeter.ERROR_TAG, key.error());
        return new Meters(
                Counter.builder(messages.meterName())
                        .description(messages.description())
                        .tags(tags)
                        .register(registry),
                Timer.builder(time.meterName())
                        .description(time.description())
                        .tags(tags)
                        .serviceLevelObjectives(BOUNDS)
                        .register(registry));
    }

    private record Key(String name, String operation, String error) {}

    private record Meters(Counter messages, Timer time) {}
}
