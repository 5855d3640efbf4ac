package dev.postrider.micrometer;

import dev.postrider.bus.interceptor.BusMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of publishers and subscribers in a Micrometer registry: what {@link EventMeter} lists. One may serve any number of them.
 * Needs {@code postrider-bus}. Thread-safe.
 *
 * <p>A subscriber to everything gets types that others make up. Of each process {@value #MAX_TYPES} are told apart; what comes later is
 * counted as {@value #OTHER_TYPES}.
 *
 * <pre>{@code
 * MetricsInterceptor interceptor = new MetricsInterceptor(new EventMetrics(registry));
 * }</pre>
 */
public final class EventMetrics implements BusMetrics {

    /** How many event types have meters of their own. */
    public static final int MAX_TYPES = 1000;

    /** The tag of all types beyond those. */
    public static final String OTHER_TYPES = "other";

    private final MeterRegistry registry;
    private final Set<String> types = ConcurrentHashMap.newKeySet();
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    public EventMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    public void published(String type, Outcome outcome, Duration duration) {
        record(EventMeter.PUBLISHED, duration, known(type), wordFor(outcome));
    }

    @Override
    public void handled(String subscriber, String type, Outcome outcome, Duration duration) {
        record(EventMeter.HANDLED, duration, subscriber, known(type), wordFor(outcome));
    }

    /** Threads that bring new types at once may let a few more in, which harms nobody. */
    private String known(String type) {
        if (!types.contains(type)) {
            if (types.size() >= MAX_TYPES) {
                return OTHER_TYPES;
            }
            types.add(type);
        }
        return type;
    }

    private static String wordFor(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private void record(EventMeter meter, Duration duration, String... values) {
        timers.computeIfAbsent(new Key(meter, List.of(values)), this::register).record(duration);
    }

    private Timer register(Key key) {
        Timer.Builder timer = Timer.builder(key.meter.meterName()).description(key.meter.description());
        for (int i = 0; i < key.values.size(); i++) {
            timer.tag(key.meter.tags().get(i), key.values.get(i));
        }
        return timer.register(registry);
    }

    /** A meter with the values of its tags, in the order of their keys. */
    private record Key(EventMeter meter, List<String> values) {}
}
