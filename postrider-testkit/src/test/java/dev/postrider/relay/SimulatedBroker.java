package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** A broker whose sends end when and how the simulation says. */
final class SimulatedBroker {

    private final TestClock clock;
    private final Duration deliveryTimeout;
    private final BooleanSupplier failsAtOnce;
    private final List<Sending> outstanding = new ArrayList<>();
    private final List<OutboxMessage> arrived = new ArrayList<>();
    private boolean isReachable = true;

    SimulatedBroker(TestClock clock, Duration deliveryTimeout) {
        this(clock, deliveryTimeout, () -> false);
    }

    /** A send to a broker that is not reachable fails at once where {@code failsAtOnce} says so, else when it is ended. */
    SimulatedBroker(TestClock clock, Duration deliveryTimeout, BooleanSupplier failsAtOnce) {
        this.clock = clock;
        this.deliveryTimeout = deliveryTimeout;
        this.failsAtOnce = failsAtOnce;
    }

    /** One relay's connection to it. */
    Destination connect(String name) {
        return new Destination() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public CompletionStage<DeliveryResult> send(OutboxMessage message) {
                if (!isReachable && failsAtOnce.getAsBoolean()) {
                    return CompletableFuture.completedFuture(DeliveryResult.outage("refused"));
                }
                Sending sending = new Sending(message, clock.nanoTime(), new CompletableFuture<>());
                outstanding.add(sending);
                return sending.result();
            }

            @Override
            public Duration deliveryTimeout() {
                return deliveryTimeout;
            }

            @Override
            public Health healthCheck() {
                return isReachable ? Health.UP : Health.down("unreachable");
            }
        };
    }

    void setReachable(boolean reachable) {
        isReachable = reachable;
    }

    boolean isReachable() {
        return isReachable;
    }

    List<OutboxMessage> arrived() {
        return arrived;
    }

    int outstanding() {
        return outstanding.size();
    }

    /** Ends an outstanding send; one that is older than the time-out can only fail without arriving. */
    void end(int index, DeliveryResult result, boolean arrives) {
        Sending sending = outstanding.remove(index);
        if (clock.nanoTime() - sending.since() > deliveryTimeout.toNanos()) {
            sending.result().complete(DeliveryResult.retry("timed out"));
            return;
        }
        if (arrives) {
            arrived.add(sending.message());
        }
        sending.result().complete(result);
    }

    private record Sending(OutboxMessage message, long since, CompletableFuture<DeliveryResult> result) {}
}
