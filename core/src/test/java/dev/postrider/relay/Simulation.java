package dev.postrider.relay;

import static dev.postrider.relay.SimulatedRelays.destination;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.relay.Promises.Happening;
import dev.postrider.relay.SimulatedBroker.Flaw;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.FaultInjector;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * One random history of relays, writers, a broker, an operator and a failing store under a virtual clock, decided by its seed
 * alone; afterwards everything heals, and the promises are checked.
 */
final class Simulation {

    private static final int KEYS = 5;
    private static final int HOT_KEY = 12;
    private static final int NEVER = Integer.MAX_VALUE;

    private final Random random;
    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store;
    private final SimulatedBroker broker;
    private final SimulatedWriters writers;
    private final List<String> history = new ArrayList<>();
    private final Promises promises;
    private final Ordering ordering;
    private final boolean mayRejectOrRetry;
    private final boolean isOneHotKey;
    private final int faultRarity;
    private final boolean isAnswerLate;
    private final SimulatedRelays relays;

    Simulation(long seed) {
        this(seed, Flaw.NONE);
    }

    /** The same with destinations that promise an order and break it. */
    Simulation(long seed, Flaw flaw) {
        this(new Random(seed), flaw, false);
    }

    /** Messages of one key are rejected, abandoned and retried all the time, so that its line gets into every state. */
    static Simulation ofOneHotKey(long seed) {
        return new Simulation(new Random(seed), Flaw.NONE, true);
    }

    private Simulation(Random random, Flaw flaw, boolean isOneHotKey) {
        this.random = random;
        this.broker = new SimulatedBroker(clock, SimulatedRelays.DELIVERY_TIMEOUT, random::nextBoolean);
        this.isOneHotKey = isOneHotKey || random.nextInt(5) == 0;
        this.ordering = this.isOneHotKey ? Ordering.PER_KEY : Ordering.values()[random.nextInt(3)];
        this.mayRejectOrRetry = this.isOneHotKey || random.nextInt(4) > 0;
        this.faultRarity =
                this.isOneHotKey ? NEVER : List.of(10, 50, 200, NEVER).get(random.nextInt(4));
        boolean isPipelined = random.nextInt(4) > 0 || flaw != Flaw.NONE;
        this.isAnswerLate = isPipelined && random.nextInt(3) > 0;
        broker.promise(isPipelined ? KeyOrder.PIPELINED : KeyOrder.ONE_BY_ONE, flaw);
        this.store = new InMemoryOutboxStore(
                ordering == Ordering.GLOBAL || this.isOneHotKey ? 1 : 1 + random.nextInt(4),
                clock,
                random.nextInt(4) == 0);
        this.writers = new SimulatedWriters(store, random, this.isOneHotKey ? 1 : KEYS, isPipelined ? HOT_KEY : 1);
        this.promises = new Promises(store, broker, writers, ordering, history);
        this.relays = new SimulatedRelays(store, broker, clock, random, ordering, promises::listener);
    }

    void run(int actions) {
        // Thousands of injected faults would fill the log with what the simulation wants to happen.
        Logger log = (Logger) LoggerFactory.getLogger(Relay.class);
        Level level = log.getLevel();
        log.setLevel(Level.OFF);
        try {
            runInSilence(actions);
        } finally {
            log.setLevel(level);
        }
    }

    private void runInSilence(int actions) {
        history.add(relays + " lanes=" + store.laneCount());
        relays.start();
        store.injectFaults(this::decideFault);
        broker.beforeEachSend(this::interrupt);
        for (int i = 0; i < actions; i++) {
            act();
        }
        heal();
        assertThat(isDone()).as("stuck: %s; %s", store.stats(), history).isTrue();
        promises.check(SimulatedRelays.WINDOW);
    }

    /** Another thread comes between the worker's decision to send and the send. */
    private void interrupt() {
        if (random.nextInt(4) == 0) {
            endSomeSend();
        }
    }

    private Fault decideFault(String operation) {
        if (random.nextInt(8) == 0) {
            meanwhile();
        }
        int dice = random.nextInt(relays.isCut() ? 3 : faultRarity);
        Fault fault = dice <= 1 ? Fault.BEFORE : dice == 2 ? Fault.AFTER : Fault.NONE;
        if (fault != Fault.NONE) {
            promises.fault("fault " + fault + " " + operation);
        }
        return fault;
    }

    /** While a worker waits for the store, time passes and other threads go on. */
    private void meanwhile() {
        advance(Duration.ofMillis(1L << random.nextInt(8)));
        if (random.nextInt(4) == 0) {
            changeReachability();
        }
        endSomeSend();
        relays.stepProber();
    }

    private void act() {
        if (isOneHotKey && random.nextInt(20) > 0) {
            actOnOneHotKey();
        } else {
            actOnAll();
        }
    }

    private void actOnOneHotKey() {
        int dice = random.nextInt(100);
        if (dice < 8) {
            writers.begin();
            writers.enqueue();
            writers.end(true);
        } else if (dice < 50) {
            relays.stepOne();
        } else if (dice < 80) {
            endSomeSend();
        } else if (dice < 90) {
            advance(Duration.ofMillis(1L << random.nextInt(8)));
        } else if (dice < 98) {
            retryDeadLetters();
        } else {
            disturb();
        }
    }

    private void actOnAll() {
        // Most things happen more often while many messages of a key are in flight: then they are hardest to survive.
        boolean isDelicate = broker.hasSeveralOfARun() && random.nextInt(4) == 0;
        int dice = isDelicate ? 86 + random.nextInt(14) : random.nextInt(100);
        if (dice < 8) {
            writers.begin();
        } else if (dice < 22) {
            writers.enqueue();
        } else if (dice < 30) {
            writers.end(random.nextInt(10) > 0);
        } else if (dice < 70) {
            relays.stepOne();
        } else if (dice < 86) {
            answer();
        } else if (dice < 95) {
            advance(Duration.ofMillis(1L << random.nextInt(8)));
        } else if (dice < 97) {
            disturb();
        } else {
            operate();
        }
    }

    /** Where answers come late, many messages are in flight. */
    private void answer() {
        if (!isAnswerLate || random.nextInt(4) == 0) {
            endSomeSend();
        }
    }

    private void endSomeSend() {
        if (broker.outstanding() == 0) {
            return;
        }
        int which = random.nextInt(broker.outstanding());
        int dice = random.nextInt(20);
        if (broker.isPipelined() && random.nextInt(12) == 0) {
            history.add("fails, to be told later");
            broker.fail(which);
            return;
        }
        if (broker.isReachable(which) && !broker.isTaken(which) && random.nextInt(5) == 0) {
            // Acknowledged some time later, perhaps when the lease is long over.
            history.add("taken");
            broker.take(which);
        } else if (!broker.isReachable(which) || (dice == 0 && !isOneHotKey)) {
            history.add("outage");
            broker.end(which, DeliveryResult.outage("gone"), random.nextBoolean());
        } else if (mayRejectOrRetry && (dice == 1 || (isOneHotKey && dice > 14))) {
            history.add("reject");
            broker.end(which, DeliveryResult.reject("bad"), false);
        } else if (dice == 2) {
            history.add("unavailable");
            broker.end(
                    which, DeliveryResult.unavailable("place", "missing").concerningTopic(random.nextBoolean()), false);
        } else if ((dice == 3 || (isOneHotKey && dice == 4)) && broker.isPipelined()) {
            history.add("abandoned");
            broker.end(which, DeliveryResult.abandoned("the connection is given up"), random.nextBoolean());
        } else if (dice < 6 && mayRejectOrRetry) {
            history.add("retry");
            broker.end(which, DeliveryResult.retry("later"), random.nextInt(4) == 0);
        } else {
            broker.end(which, DeliveryResult.DELIVERED, true);
        }
    }

    private void disturb() {
        switch (random.nextInt(12)) {
            case 0 -> crashRelay();
            case 1 -> note("close", relays::closeOne);
            case 2 -> note("start", relays::start);
            case 3 -> changeReachability();
            case 4 -> advance(SimulatedRelays.LEASE.plusMillis(random.nextInt(1000)));
            case 5 -> note("cut", relays::cutOne);
            case 6 -> note("reconnect", relays::reconnect);
            case 7 -> restartDatabase();
            default -> advance(Duration.ofMillis(600));
        }
    }

    private void note(String what, Runnable action) {
        history.add(what);
        action.run();
    }

    private void crashRelay() {
        if (relays.crashOne()) {
            promises.fault("crash");
        }
    }

    private void restartDatabase() {
        while (writers.hasOpen()) {
            writers.end(false);
        }
        promises.newIncarnation();
        store.restart();
    }

    private void operate() {
        if (random.nextInt(3) == 0) {
            retryDeadLetters();
        } else if (random.nextInt(3) == 0) {
            safely(() -> store.pauses().pause(someDestination(), "operator"));
        } else if (random.nextBoolean()) {
            safely(() -> store.unblock(Optional.empty(), "operator"));
        } else {
            safely(() -> store.pauses().resume(someDestination(), "operator"));
        }
    }

    private void retryDeadLetters() {
        history.add("retry dead letters");
        store.injectFaults(FaultInjector.none());
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 1 + random.nextInt(5), "operator");
        promises.noteRetries();
        store.injectFaults(this::decideFault);
    }

    private String someDestination() {
        return destination(random.nextInt(2));
    }

    private void changeReachability() {
        String name = someDestination();
        broker.setReachable(name, !broker.isReachable(name));
    }

    /** What happened while several messages of a key were in flight. */
    Set<Happening> happenings() {
        return promises.happenings();
    }

    private static void safely(Runnable operation) {
        try {
            operation.run();
        } catch (RuntimeException injected) {
            // An operator would try again.
        }
    }

    private void advance(Duration duration) {
        clock.advance(duration);
    }

    /** Everything works again but one destination, then that too; whatever is left must go out now. */
    private void heal() {
        history.add("heal");
        store.injectFaults(FaultInjector.none());
        broker.beforeEachSend(() -> {});
        while (writers.hasOpen()) {
            writers.end(true);
        }
        relays.loseSome();
        Optional<LaneWorker> hanging = relays.someWorkerThatIsNotNeeded();
        hanging.ifPresent(worker -> history.add("hang"));
        int last = random.nextInt(2);
        disable(destination(last));
        heal(destination(1 - last));
        if (ordering != Ordering.GLOBAL) {
            stepUntil(() -> promises.hasAllOf(destination(1 - last)), hanging);
            assertThat(promises.hasAllOf(destination(1 - last)))
                    .as("flows to %s; %s", destination(1 - last), history)
                    .isTrue();
        }
        heal(destination(last));
        stepUntil(this::isDone, hanging);
    }

    private void disable(String name) {
        if (random.nextBoolean()) {
            store.pauses().pause(name, "operator");
        } else {
            broker.setReachable(name, false);
        }
    }

    private void heal(String name) {
        history.add("heal " + name);
        broker.setReachable(name, true);
        store.pauses().resume(name, "operator");
    }

    /** Gives up after 400 rounds in which nothing got through: a long backlog may take more when messages go one by one. */
    private void stepUntil(BooleanSupplier isReached, Optional<LaneWorker> hanging) {
        long left = store.stats().undelivered();
        int round = 0;
        while (round < 400 && !isReached.getAsBoolean()) {
            step(hanging);
            boolean isProgress = store.stats().undelivered() < left;
            left = Math.min(left, store.stats().undelivered());
            round = isProgress ? 0 : round + 1;
        }
    }

    private void step(Optional<LaneWorker> hanging) {
        relays.stepAll(hanging);
        while (broker.outstanding() > 0) {
            boolean isReachable = broker.isReachable(0);
            broker.end(0, isReachable ? DeliveryResult.DELIVERED : DeliveryResult.outage("gone"), isReachable);
        }
        advance(Duration.ofMillis(50));
        store.unblock(Optional.empty(), "operator");
    }

    private boolean isDone() {
        return store.stats().undelivered() == 0 && broker.outstanding() == 0;
    }
}
