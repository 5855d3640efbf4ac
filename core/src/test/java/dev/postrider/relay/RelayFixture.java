package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.FailureClassifier;
import dev.postrider.spi.Health;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.TraceContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What the parts of the relay that need no store are tested with: a hand-moved clock, a scripted destination. */
final class RelayFixture implements RelayListener {

    final List<String> events = new ArrayList<>();
    int maxInFlight = 1000;
    int maxInFlightPerKey = 3;
    private long now = Long.MAX_VALUE - 1_000_000;

    /** Starts near the end of the numbers, where only differences of moments make sense. */
    void advance(Duration by) {
        now += by.toNanos();
    }

    RelayContext context() {
        return context(Ordering.PER_KEY);
    }

    RelayContext context(Ordering ordering) {
        return new RelayContext(
                "me",
                no(OutboxStore.class),
                no(RelayStore.class),
                options(ordering),
                this,
                TraceContext.NONE,
                () -> now,
                new Random(1));
    }

    private RelayOptions options(Ordering ordering) {
        return new RelayOptions(
                ordering,
                OnExhausted.DEAD_LETTER,
                10,
                Backoff.constant(Duration.ofSeconds(1)),
                failures -> Duration.ofSeconds(failures),
                Optional.empty(),
                FailureClassifier.asReported(),
                1,
                10,
                maxInFlight,
                maxInFlightPerKey,
                1 << 20,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                Duration.ofMillis(5),
                Duration.ofMillis(250),
                Duration.ofMillis(5),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(20));
    }

    private static <T> T no(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(
                RelayFixture.class.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    throw new AssertionError("Not expected to be called: " + method);
                }));
    }

    TrackedMessage entry(WorkerGate gate, long seq, String key, int payloadBytes) {
        OwnedLane lane = new OwnedLane(new TakenLane(new Lease(0, "me", 1), Optional.empty()), System::nanoTime);
        return entry(lane, gate, seq, key, payloadBytes);
    }

    TrackedMessage entry(OwnedLane lane, WorkerGate gate, long seq, String key, int payloadBytes) {
        return entry(lane, gate, seq, key, payloadBytes, 0);
    }

    /** A row of the hot table that has failed this often. */
    TrackedMessage triedEntry(OwnedLane lane, WorkerGate gate, long seq, String key, int attempts) {
        return entry(lane, gate, seq, key, 0, attempts);
    }

    private TrackedMessage entry(
            OwnedLane lane, WorkerGate gate, long seq, String key, int payloadBytes, int attempts) {
        OutboxMessage message = OutboxMessage.builder("orders")
                .id(new MessageId(0, seq))
                .type("OrderPlaced")
                .key(key)
                .payload(new byte[payloadBytes])
                .build();
        RowRef ref = new RowRef(0, seq, message.id());
        return new TrackedMessage(
                lane,
                new OutboxRow.Hot(ref, message, Instant.EPOCH, KeyState.FREE, attempts),
                gate,
                Batch.read(Instant.EPOCH, now));
    }

    /** A line that has this message alone, in a lane that may be sent from. */
    Line line(WorkerGate gate, long seq, String key, int payloadBytes) {
        TrackedMessage row = entry(gate, seq, key, payloadBytes);
        row.lane.open(Ordering.PER_KEY);
        row.lane.leased(context().options(), now);
        Line line = new Line(row, Optional.of(new Line.Key(gate, key)));
        line.append(row);
        return line;
    }

    /** A row that was held before with this error. */
    TrackedMessage heldEntry(WorkerGate gate, String topic, long seq, String error) {
        OwnedLane lane = new OwnedLane(new TakenLane(new Lease(0, "me", 1), Optional.empty()), System::nanoTime);
        OutboxMessage message = OutboxMessage.builder(topic)
                .id(new MessageId(0, seq))
                .type("OrderPlaced")
                .key("key-" + seq)
                .build();
        RowRef ref = new RowRef(0, seq, message.id());
        return new TrackedMessage(
                lane, new OutboxRow.Held(ref, message, Instant.EPOCH, 0, error), gate, Batch.read(Instant.EPOCH, now));
    }

    @Override
    public void unavailable(String destination, String place, String reason) {
        events.add("unavailable: " + place);
    }

    @Override
    public void available(String destination, String place) {
        events.add("available: " + place);
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        events.add("outage for " + retryIn + ": " + reason);
    }

    @Override
    public void recovered(String destination) {
        events.add("recovered");
    }

    @Override
    public void paused(String destination) {
        events.add("paused");
    }

    @Override
    public void resumed(String destination) {
        events.add("resumed");
    }

    /** Never sends; says what it is told about its health. */
    static final class ScriptedDestination implements Destination {

        Health health = Health.UP;
        RuntimeException failure;
        int maxInFlight = Integer.MAX_VALUE;
        KeyOrder keyOrder = KeyOrder.ONE_BY_ONE;
        int checks;

        @Override
        public String name() {
            return "broker";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return new CompletableFuture<>();
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public KeyOrder keyOrder() {
            return keyOrder;
        }

        @Override
        public int maxInFlight() {
            return maxInFlight;
        }

        @Override
        public Health healthCheck() {
            checks++;
            if (failure != null) {
                throw failure;
            }
            return health;
        }
    }
}
