package dev.postrider.spi;

import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A destination around another one, to count, delay or change what it does: everything that is not overridden is the other's.
 *
 * <p>Whoever wraps a destination by hand easily forgets that it can be sent to in two ways, and with the second loses the fence of
 * a lane. Here both are led through {@link #send(OutboxMessage, Supplier)}. Thread-safe if what the subclass adds is.
 *
 * <pre>{@code
 * class LenientDestination extends ForwardingDestination {
 *     protected CompletionStage<DeliveryResult> send(OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
 *         return onward.get().thenApply(this::withoutRejects);
 *     }
 * }
 * }</pre>
 */
public abstract class ForwardingDestination implements Destination {

    private final Destination target;

    protected ForwardingDestination(Destination target) {
        this.target = Objects.requireNonNull(target, "target");
    }

    /**
     * Sends one message, whichever way it came.
     *
     * @param onward sends it to the other destination; called once, or not at all
     */
    protected CompletionStage<DeliveryResult> send(
            OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
        return onward.get();
    }

    @Override
    public final CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return send(message, () -> target.send(message));
    }

    @Override
    public final CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
        return send(message, () -> target.send(message, context));
    }

    /**
     * One by one, whatever the other promises: a subclass that holds a message back, drops one or changes a result would break the
     * promise. One that only looks on returns {@code target().keyOrder()}.
     */
    @Override
    public KeyOrder keyOrder() {
        return KeyOrder.ONE_BY_ONE;
    }

    /** The other one. */
    protected final Destination target() {
        return target;
    }

    @Override
    public String name() {
        return target.name();
    }

    @Override
    public String system() {
        return target.system();
    }

    @Override
    public Duration deliveryTimeout() {
        return target.deliveryTimeout();
    }

    @Override
    public int maxInFlight() {
        return target.maxInFlight();
    }

    @Override
    public Health healthCheck() {
        return target.healthCheck();
    }

    @Override
    public List<Check> checks(Collection<String> topics) {
        return target.checks(topics);
    }

    @Override
    public void close() {
        target.close();
    }
}
