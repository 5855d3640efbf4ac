package dev.postrider.micrometer;

import dev.postrider.spi.ReceiverListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of receivers in a Micrometer registry: what {@link ReceiverMeter} lists. One may serve any number of receivers.
 * Thread-safe.
 *
 * <pre>{@code
 * ReceiverMetrics metrics = new ReceiverMetrics(registry);
 * Receiver receiver = KafkaReceiver.builder("billing", servers).topics("orders").listener(metrics).build();
 * }</pre>
 */
public final class ReceiverMetrics implements ReceiverListener {

    private final MeterRegistry registry;
    private final Map<String, Meters> meters = new ConcurrentHashMap<>();

    public ReceiverMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    public void received(String receiver) {
        of(receiver).received.increment();
    }

    @Override
    public void handled(String receiver, Duration took) {
        of(receiver).handled.record(took);
    }

    @Override
    public void failed(String receiver, Duration took) {
        of(receiver).failed.record(took);
    }

    @Override
    public void retried(String receiver) {
        of(receiver).retried.increment();
    }

    @Override
    public void parked(String receiver) {
        of(receiver).parked.increment();
    }

    private Meters of(String receiver) {
        return meters.computeIfAbsent(receiver, this::register);
    }

    private Meters register(String receiver) {
        return new Meters(
                counter(ReceiverMeter.RECEIVED, receiver),
                timer(receiver, "handled"),
                timer(receiver, "failed"),
                counter(ReceiverMeter.RETRIED, receiver),
                counter(ReceiverMeter.PARKED, receiver));
    }

    private Counter counter(ReceiverMeter meter, String receiver) {
        return Counter.builder(meter.meterName())
                .description(meter.description())
                .tag(ReceiverMeter.RECEIVER_TAG, receiver)
                .register(registry);
    }

    private Timer timer(String receiver, String outcome) {
        return Timer.builder(ReceiverMeter.HANDLING.meterName())
                .description(ReceiverMeter.HANDLING.description())
                .tag(ReceiverMeter.RECEIVER_TAG, receiver)
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Those of one receiver, looked up once. */
    private record Meters(Counter received, Timer handled, Timer failed, Counter retried, Counter parked) {}
}
