package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A broker with several destinations, whose sends end when and how the simulation says. Where it promises an order, what takes effect of a
 * run is a prefix of what was begun; a {@link Flaw} breaks that.
 */
final class SimulatedBroker {

    private final TestClock clock;
    private final Duration deliveryTimeout;
    private final BooleanSupplier failsAtOnce;
    private final Set<String> unreachable = new HashSet<>();
    private final List<Sending> outstanding = new ArrayList<>();
    private final List<OutboxMessage> arrived = new ArrayList<>();
    private final Map<KeyRun, Run> runs = new HashMap<>();
    private Runnable beforeEachSend = () -> {};
    private KeyOrder keyOrder = KeyOrder.ONE_BY_ONE;
    private Flaw flaw = Flaw.NONE;
    private Witness witness = new Witness() {};

    /** How a destination breaks its promise. */
    enum Flaw {
        NONE,
        /** A message takes effect though an earlier one of its run has not. */
        PASSES_EARLIER_ONES,
        /** The same, but only where they go to different partitions. */
        PASSES_IN_ANOTHER_PARTITION,
        /** After a message was not delivered, those that were begun behind it take effect, and end as abandoned. */
        TAKES_EFFECT_BEHIND_A_FAILURE,
        /** After a message was not delivered, those that were begun behind it end as delivered. */
        DELIVERS_BEHIND_A_FAILURE,
        /** After a message has ended as not delivered, and before the relay knows, another one of the broken run is taken. */
        TAKES_MORE_OF_A_BROKEN_RUN,
        /** After a message has failed, and before its end is reported, the next one of its run is taken. */
        TAKES_MORE_BEFORE_IT_REPORTS
    }

    SimulatedBroker(TestClock clock, Duration deliveryTimeout) {
        this(clock, deliveryTimeout, () -> false);
    }

    /** A send to what is not reachable fails at once where {@code failsAtOnce} says so, else when it is ended. */
    SimulatedBroker(TestClock clock, Duration deliveryTimeout, BooleanSupplier failsAtOnce) {
        this.clock = clock;
        this.deliveryTimeout = deliveryTimeout;
        this.failsAtOnce = failsAtOnce;
    }

    /** Lets relays send many messages of a run at once. */
    void promise(KeyOrder order, Flaw how) {
        this.keyOrder = order;
        this.flaw = how;
    }

    boolean isPipelined() {
        return keyOrder == KeyOrder.PIPELINED;
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
        return isReachable(outstanding.get(index).connection.name());
    }

    List<OutboxMessage> arrived() {
        return arrived;
    }

    int outstanding() {
        return outstanding.size();
    }

    /** Takes the message of an outstanding send in time; its acknowledgement comes when the send is ended, however late. */
    void take(int index) {
        takeInOrder(outstanding.get(index));
    }

    /** Whether the broker has the message of an outstanding send, and only the acknowledgement is on its way. */
    boolean isTaken(int index) {
        return outstanding.get(index).isTaken;
    }

    /** With everything that was begun before it in its run. False if it, or one of those, is too old or has failed. */
    private boolean takeInOrder(Sending sending) {
        return inOrder(sending).allMatch(this::takeOne);
    }

    private Stream<Sending> inOrder(Sending sending) {
        Stream<Sending> begun = sending.run.upTo(sending).stream();
        return switch (flaw) {
            case PASSES_EARLIER_ONES -> Stream.of(sending);
            case PASSES_IN_ANOTHER_PARTITION -> begun.filter(other -> other.partition() == sending.partition());
            default -> begun;
        };
    }

    private boolean takeOne(Sending sending) {
        boolean isInTime = clock.nanoTime() - sending.since <= deliveryTimeout.toNanos();
        if (!sending.isTaken && isInTime && !sending.hasEnded && !sending.run.failed.contains(sending)) {
            sending.isTaken = true;
            arrived.add(sending.message);
            witness.arrived(sending.message);
        }
        return sending.isTaken;
    }

    /** An outstanding send that the broker has not taken fails, and that is reported when it is ended. */
    void fail(int index) {
        Sending sending = outstanding.get(index);
        if (sending.isTaken || sending.run.failed.contains(sending)) {
            return;
        }
        sending.run.failed.add(sending);
        if (flaw == Flaw.TAKES_MORE_BEFORE_IT_REPORTS) {
            runs.remove(sending.run.key);
        } else {
            sending.run.key.breakOff();
        }
    }

    /** Whether a run has several messages in flight. */
    boolean hasSeveralOfARun() {
        Set<Run> seen = new HashSet<>();
        return outstanding.stream().anyMatch(sending -> !seen.add(sending.run));
    }

    /** What other threads do just before a message is sent. */
    void beforeEachSend(Runnable meanwhile) {
        this.beforeEachSend = meanwhile;
    }

    /** Ends an outstanding send; one that is older than the time-out can only fail without arriving. */
    void end(int index, DeliveryResult result, boolean arrives) {
        Sending sending = outstanding.remove(index);
        boolean isTaken = sending.isTaken;
        if (sending.run.failed.contains(sending)) {
            end(sending, DeliveryResult.outage("lost"));
        } else if (sending.run.hasFailedBefore(sending)) {
            end(sending, behindAFailure(sending));
        } else if (isTaken || (arrives && takeInOrder(sending))) {
            end(sending, isTaken ? DeliveryResult.DELIVERED : result);
        } else if (arrives || clock.nanoTime() - sending.since > deliveryTimeout.toNanos()) {
            end(sending, DeliveryResult.retry("timed out"));
        } else {
            end(sending, result);
        }
    }

    private DeliveryResult behindAFailure(Sending sending) {
        boolean isFlawed = flaw == Flaw.TAKES_EFFECT_BEHIND_A_FAILURE || flaw == Flaw.DELIVERS_BEHIND_A_FAILURE;
        boolean takesEffect = isFlawed && takeOne(sending);
        return takesEffect && flaw == Flaw.DELIVERS_BEHIND_A_FAILURE
                ? DeliveryResult.DELIVERED
                : DeliveryResult.abandoned("an earlier one failed");
    }

    private void end(Sending sending, DeliveryResult result) {
        sending.hasEnded = true;
        if (result instanceof DeliveryResult.Reject) {
            sending.run.sends.remove(sending);
        } else if (!(result instanceof DeliveryResult.Delivered)) {
            sending.run.failed.add(sending);
            sending.run.key.breakOff();
        }
        boolean isCounted = !(result instanceof DeliveryResult.Unavailable)
                && !(result instanceof DeliveryResult.Abandoned)
                && (!(result instanceof DeliveryResult.Outage) || sending.connection.mayBlame());
        witness.ended(sending.message, result, sending.isTaken, isCounted);
        sending.result.complete(result);
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
        public KeyOrder keyOrder() {
            return keyOrder;
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            throw new UnsupportedOperationException("A relay says to which run a message belongs");
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
            KeyRun run = context.run();
            beforeEachSend.run();
            if (run.isBroken() && flaw == Flaw.TAKES_MORE_OF_A_BROKEN_RUN) {
                runs.remove(run);
            }
            Sending sending = new Sending(this, message, clock.nanoTime(), runs.computeIfAbsent(run, Run::new));
            witness.began(message);
            if (run.isBroken() && flaw != Flaw.TAKES_MORE_OF_A_BROKEN_RUN) {
                end(sending, DeliveryResult.abandoned("the run is broken off"));
            } else if (!isReachable(name) && failsAtOnce.getAsBoolean()) {
                end(sending, DeliveryResult.outage("refused"));
            } else {
                outstanding.add(sending);
            }
            return sending.result;
        }

        boolean mayBlame() {
            return ++drops > HARMLESS_DROPS && outstanding.stream().noneMatch(other -> other.connection == this);
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

    /** What was sent of a run, in order, but for what was rejected. */
    private static final class Run {

        private final KeyRun key;
        private final List<Sending> sends = new ArrayList<>();
        private final Set<Sending> failed = new HashSet<>();

        Run(KeyRun key) {
            this.key = key;
        }

        List<Sending> upTo(Sending last) {
            return sends.subList(0, sends.indexOf(last) + 1);
        }

        boolean hasFailedBefore(Sending sending) {
            return upTo(sending).stream().anyMatch(failed::contains);
        }
    }

    private static final class Sending {

        private final Connection connection;
        private final OutboxMessage message;
        private final long since;
        private final Run run;
        private final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
        private boolean isTaken;
        private boolean hasEnded;

        Sending(Connection connection, OutboxMessage message, long since, Run run) {
            this.connection = connection;
            this.message = message;
            this.since = since;
            this.run = run;
            run.sends.add(this);
        }

        int partition() {
            return Math.floorMod(message.id().hashCode(), 2);
        }
    }
}
