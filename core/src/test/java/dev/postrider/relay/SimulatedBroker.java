package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A broker with several destinations, whose sends end when and how the simulation says. */
final class SimulatedBroker {

    private final TestClock clock;
    private final Duration deliveryTimeout;
    private final BooleanSupplier failsAtOnce;
    private final Set<String> unreachable = new HashSet<>();
    private final List<Sending> outstanding = new ArrayList<>();
    private final List<OutboxMessage> arrived = new ArrayList<>();
    private Witness witness = new Witness() {};

    SimulatedBroker(TestClock clock, Duration deliveryTimeout) {
        this(clock, deliveryTimeout, () -> false);
    }

    /** A send to what is not reachable fails at once where {@code failsAtOnce} says so, else when it is ended. */
    SimulatedBroker(TestClock clock, Duration deliveryTimeout, BooleanSupplier failsAtOnce) {
        this.clock = clock;
        this.deliveryTimeout = deliveryTimeout;
        this.failsAtOnce = failsAtOnce;
    }

    /** Sees every send begin and end. */
    interface Witness {

        default void began(OutboxMessage message) {}

        default void arrived(OutboxMessage message) {}

        /** @param isCounted whether the relay may count a failed attempt */
        default void ended(OutboxMessage message, DeliveryResult result, boolean arrives, boolean isCounted) {}
    }

    void watch(Witness onlooker) {
        this.witness = onlooker;
    }

    /** One relay's connection to a destination. */
    Destination connect(String name) {
        return new Connection(name);
    }

    void setReachable(String name, boolean reachable) {
        if (reachable) {
            unreachable.remove(name);
        } else {
            unreachable.add(name);
        }
    }

    boolean isReachable(String name) {
        return !unreachable.contains(name);
    }

    /** Whether the destination of an outstanding send is reachable. */
    boolean isReachable(int index) {
        return isReachable(outstanding.get(index).connection().name());
    }

    List<OutboxMessage> arrived() {
        return arrived;
    }

    int outstanding() {
        return outstanding.size();
    }

    /** Takes the message of an outstanding send in time; its acknowledgement comes when the send is ended, however late. */
    void take(int index) {
        Sending sending = outstanding.get(index);
        if (clock.nanoTime() - sending.since() <= deliveryTimeout.toNanos()
                && sending.isTaken().compareAndSet(false, true)) {
            arrived.add(sending.message());
            witness.arrived(sending.message());
        }
    }

    /** Whether the broker has the message of an outstanding send, and only the acknowledgement is on its way. */
    boolean isTaken(int index) {
        return outstanding.get(index).isTaken().get();
    }

    /** Ends an outstanding send; one that is older than the time-out can only fail without arriving. */
    void end(int index, DeliveryResult result, boolean arrives) {
        Sending sending = outstanding.remove(index);
        if (sending.isTaken().get()) {
            end(sending, DeliveryResult.DELIVERED, false);
        } else if (clock.nanoTime() - sending.since() > deliveryTimeout.toNanos()) {
            end(sending, DeliveryResult.retry("timed out"), false);
        } else {
            end(sending, result, arrives);
        }
    }

    private void end(Sending sending, DeliveryResult result, boolean arrives) {
        if (arrives) {
            arrived.add(sending.message());
            witness.arrived(sending.message());
        }
        boolean isCounted = !(result instanceof DeliveryResult.Unavailable)
                && (!(result instanceof DeliveryResult.Outage)
                        || sending.connection().mayBlame());
        witness.ended(sending.message(), result, arrives, isCounted);
        sending.result().complete(result);
    }

    /** Counts what the relay's rule for blaming single messages looks at. */
    private final class Connection implements Destination {

        /** A message is to blame at the third drop at the earliest, and only if it is alone in flight. */
        private static final int HARMLESS_DROPS = 2;

        private final String name;
        private int drops;

        Connection(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            Sending sending =
                    new Sending(this, message, clock.nanoTime(), new AtomicBoolean(), new CompletableFuture<>());
            witness.began(message);
            if (!isReachable(name) && failsAtOnce.getAsBoolean()) {
                end(sending, DeliveryResult.outage("refused"), false);
            } else {
                outstanding.add(sending);
            }
            return sending.result();
        }

        boolean mayBlame() {
            return ++drops > HARMLESS_DROPS && outstanding.stream().noneMatch(other -> other.connection() == this);
        }

        @Override
        public Duration deliveryTimeout() {
            return deliveryTimeout;
        }

        @Override
        public Health healthCheck() {
            return isReachable(name) ? Health.UP : Health.down("unreachable");
        }
    }

    private record Sending(
            Connection connection,
            OutboxMessage message,
            long since,
            AtomicBoolean isTaken,
            CompletableFuture<DeliveryResult> result) {}
}
