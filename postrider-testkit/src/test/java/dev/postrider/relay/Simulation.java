package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.FaultInjector;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
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

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration DELIVERY_TIMEOUT = Duration.ofMillis(500);
    private static final int MAX_RELAYS = 3;
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int MAX_BATCH = 8;
    private static final int MAX_WORKERS = 2;

    /** How many messages may be in flight or unsettled at a relay. */
    private static final int WINDOW = MAX_WORKERS * (2 * MAX_BATCH + MAX_BATCH);

    static {
        // Thousands of injected faults would fill the log with what the simulation wants to happen.
        ((Logger) LoggerFactory.getLogger(Relay.class)).setLevel(Level.OFF);
    }

    private final Random random;
    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store;
    private final SimulatedBroker broker;
    private final SimulatedWriters writers;
    private final List<RelayCore> relays = new ArrayList<>();
    private final List<RelayCore> closing = new ArrayList<>();
    private final List<String> history = new ArrayList<>();
    private final Promises promises;
    private final Ordering ordering;
    private final OnExhausted onExhausted;
    private final boolean mayRejectOrRetry;
    private final int faultRarity;
    private final Set<RelayCore> isCut = new HashSet<>();
    private RelayCore stepping;
    private int started;

    Simulation(long seed) {
        this.random = new Random(seed);
        this.broker = new SimulatedBroker(clock, DELIVERY_TIMEOUT, random::nextBoolean);
        this.ordering = Ordering.values()[random.nextInt(3)];
        this.onExhausted = OnExhausted.values()[random.nextInt(3)];
        this.mayRejectOrRetry = random.nextInt(4) > 0;
        this.faultRarity = List.of(10, 50, 200, NEVER).get(random.nextInt(4));
        this.store = new InMemoryOutboxStore(
                ordering == Ordering.GLOBAL ? 1 : 1 + random.nextInt(4), clock, random.nextInt(4) == 0);
        this.writers = new SimulatedWriters(store, random);
        this.promises = new Promises(store, broker, writers, history);
    }

    void run(int actions) {
        history.add(ordering + " " + onExhausted + " lanes=" + store.laneCount());
        startRelay();
        store.injectFaults(this::decideFault);
        for (int i = 0; i < actions; i++) {
            act();
        }
        heal();
        assertThat(isDone()).as("stuck: %s; %s", store.stats(), history).isTrue();
        promises.check(ordering, WINDOW);
    }

    private Fault decideFault(String operation) {
        if (random.nextInt(8) == 0) {
            meanwhile();
        }
        int dice = random.nextInt(isCut.contains(stepping) ? 3 : faultRarity);
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
        if (stepping != null) {
            stepping.prober().step();
        }
    }

    private void act() {
        int dice = random.nextInt(100);
        if (dice < 8) {
            writers.begin();
        } else if (dice < 22) {
            writers.enqueue();
        } else if (dice < 30) {
            writers.end(random.nextInt(10) > 0);
        } else if (dice < 70) {
            stepSomething();
        } else if (dice < 86) {
            endSomeSend();
        } else if (dice < 95) {
            advance(Duration.ofMillis(1L << random.nextInt(8)));
        } else if (dice < 97) {
            disturb();
        } else {
            operate();
        }
    }

    private void stepSomething() {
        if (relays.isEmpty()) {
            return;
        }
        RelayCore relay = relays.get(random.nextInt(relays.size()));
        stepping = relay;
        List<Loop> loops = new ArrayList<>(relay.loopsWithoutKeeper());
        if (!closing.contains(relay)) {
            loops.add(relay.keeper());
        }
        loops.get(random.nextInt(loops.size())).step();
    }

    private void endSomeSend() {
        if (broker.outstanding() == 0) {
            return;
        }
        int which = random.nextInt(broker.outstanding());
        int dice = random.nextInt(20);
        if (!broker.isReachable(which) || dice == 0) {
            history.add("outage");
            broker.end(which, DeliveryResult.outage("gone"), random.nextBoolean());
        } else if (dice == 1 && mayRejectOrRetry) {
            history.add("reject");
            broker.end(which, DeliveryResult.reject("bad"), false);
        } else if (dice < 5 && mayRejectOrRetry) {
            history.add("retry");
            broker.end(which, DeliveryResult.retry("later"), random.nextInt(4) == 0);
        } else {
            broker.end(which, DeliveryResult.DELIVERED, true);
        }
    }

    private void disturb() {
        switch (random.nextInt(9)) {
            case 6 -> cutRelay();
            case 7 -> isCut.clear();
            case 8 -> restartDatabase();
            case 0 -> crashRelay();
            case 1 -> closeRelay();
            case 2 -> startRelay();
            case 3 -> changeReachability();
            case 4 -> advance(LEASE.plusMillis(random.nextInt(1000)));
            default -> advance(Duration.ofMillis(600));
        }
    }

    private void operate() {
        if (random.nextInt(3) == 0) {
            history.add("retry dead letters");
            store.injectFaults(FaultInjector.none());
            store.deadLetters().requestRetry(DeadLetterFilter.all(), 1 + random.nextInt(5), "operator");
            promises.noteRetries();
            store.injectFaults(this::decideFault);
        } else if (random.nextInt(3) == 0) {
            safely(() -> store.pauses().pause(someDestination(), "operator"));
        } else if (random.nextBoolean()) {
            safely(() -> store.held().unblock(Optional.empty(), "operator"));
        } else {
            safely(() -> store.pauses().resume(someDestination(), "operator"));
        }
    }

    private static String destination(int number) {
        return "t" + number;
    }

    private String someDestination() {
        return destination(random.nextInt(2));
    }

    private void changeReachability() {
        String name = someDestination();
        broker.setReachable(name, !broker.isReachable(name));
    }

    private static void safely(Runnable operation) {
        try {
            operation.run();
        } catch (RuntimeException injected) {
            // An operator would try again.
        }
    }

    private void startRelay() {
        if (relays.size() >= MAX_RELAYS) {
            return;
        }
        history.add("start");
        relays.add(new RelayBuilder(
                        store, new RouterByTopic(broker.connect(destination(0)), broker.connect(destination(1))))
                .ordering(ordering)
                .onExhausted(onExhausted)
                .maxAttempts(3)
                .backoff(Backoff.constant(Duration.ofMillis(100)))
                .outageBackoff(Backoff.constant(Duration.ofMillis(50)))
                .workers(1 + random.nextInt(MAX_WORKERS))
                .batchSize(1 + random.nextInt(MAX_BATCH))
                .maxInFlight(1 + random.nextInt(MAX_BATCH))
                .lease(LEASE)
                .deliveryTimeout(DELIVERY_TIMEOUT)
                .housekeepingInterval(Duration.ofMillis(100))
                .sweepInterval(Duration.ofMillis(10))
                .nanoTime(clock::nanoTime)
                .random(new Random(random.nextLong()))
                .owner("relay-" + ++started)
                .buildCore(promises.listener()));
    }

    private void crashRelay() {
        if (!relays.isEmpty()) {
            promises.fault("crash");
            closing.remove(relays.remove(random.nextInt(relays.size())));
        }
    }

    /** From now on every call of this relay to the store fails, half of them after their effect. */
    private void cutRelay() {
        if (!relays.isEmpty()) {
            history.add("cut");
            isCut.add(relays.get(random.nextInt(relays.size())));
        }
    }

    private void restartDatabase() {
        while (writers.hasOpen()) {
            writers.end(false);
        }
        promises.newIncarnation();
        store.restart();
    }

    private void closeRelay() {
        if (!relays.isEmpty()) {
            history.add("close");
            RelayCore relay = relays.get(random.nextInt(relays.size()));
            if (!closing.contains(relay)) {
                closing.add(relay);
                relay.leaveAll();
            }
        }
    }

    private void advance(Duration duration) {
        clock.advance(duration);
    }

    /** Everything works again but one destination, then that too; whatever is left must go out now. */
    private void heal() {
        history.add("heal");
        store.injectFaults(FaultInjector.none());
        while (writers.hasOpen()) {
            writers.end(true);
        }
        relays.removeIf(relay -> random.nextBoolean());
        closing.retainAll(relays);
        if (relays.stream().allMatch(closing::contains)) {
            startFresh();
        }
        Optional<LaneWorker> hanging = someWorkerThatIsNotNeeded();
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

    private void stepUntil(BooleanSupplier isReached, Optional<LaneWorker> hanging) {
        for (int round = 0; round < 400 && !isReached.getAsBoolean(); round++) {
            for (RelayCore relay : List.copyOf(relays)) {
                if (!closing.contains(relay)) {
                    relay.keeper().step();
                }
                relay.loopsWithoutKeeper().stream()
                        .filter(loop -> hanging.isEmpty() || loop != hanging.get())
                        .forEach(Loop::step);
            }
            while (broker.outstanding() > 0) {
                boolean isReachable = broker.isReachable(0);
                broker.end(0, isReachable ? DeliveryResult.DELIVERED : DeliveryResult.outage("gone"), isReachable);
            }
            advance(Duration.ofMillis(50));
            store.held().unblock(Optional.empty(), "operator");
        }
    }

    /** A worker that may hang for ever without anything being lost, since another one can take lanes. */
    private Optional<LaneWorker> someWorkerThatIsNotNeeded() {
        List<LaneWorker> able = relays.stream()
                .filter(relay -> !closing.contains(relay))
                .flatMap(relay -> relay.workers().stream())
                .toList();
        if (able.size() < 2 || random.nextBoolean()) {
            return Optional.empty();
        }
        history.add("hang");
        return Optional.of(able.get(random.nextInt(able.size())));
    }

    private void startFresh() {
        if (relays.size() >= MAX_RELAYS) {
            relays.remove(0);
        }
        startRelay();
    }

    private boolean isDone() {
        return store.stats().undelivered() == 0 && store.stats().held() == 0 && broker.outstanding() == 0;
    }

    /** Two destinations, named as the topics that lead to them. */
    private record RouterByTopic(Destination first, Destination second) implements DestinationRouter {

        @Override
        public Destination route(OutboxMessage message) {
            return message.topic().equals(first.name()) ? first : second;
        }

        @Override
        public boolean isDecidedByTopic() {
            return true;
        }

        @Override
        public Collection<Destination> destinations() {
            return List.of(first, second);
        }
    }
}
