package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
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
import java.util.function.Supplier;

/** The relays of a simulated history: they start, close, crash and lose their way to the store, and go on step by step. */
final class SimulatedRelays {

    static final Duration LEASE = Duration.ofSeconds(2);
    static final Duration DELIVERY_TIMEOUT = Duration.ofMillis(500);

    private static final int MAX_RELAYS = 3;
    private static final int MAX_BATCH = 8;
    private static final int MAX_WORKERS = 2;

    /** How many messages may be in flight or unsettled at a relay. */
    static final int WINDOW = MAX_WORKERS * (2 * MAX_BATCH + MAX_BATCH);

    private final InMemoryOutboxStore store;
    private final SimulatedBroker broker;
    private final TestClock clock;
    private final Random random;
    private final Ordering ordering;
    private final OnExhausted onExhausted;
    private final Supplier<RelayListener> listeners;
    private final List<RelayCore> relays = new ArrayList<>();
    private final List<RelayCore> closing = new ArrayList<>();
    private final Set<RelayCore> cut = new HashSet<>();
    private Optional<RelayCore> stepping = Optional.empty();
    private int started;

    SimulatedRelays(
            InMemoryOutboxStore store,
            SimulatedBroker broker,
            TestClock clock,
            Random random,
            Ordering ordering,
            Supplier<RelayListener> listeners) {
        this.store = store;
        this.broker = broker;
        this.clock = clock;
        this.random = random;
        this.ordering = ordering;
        // Keys that block go one by one: that must not be most histories.
        this.onExhausted = random.nextInt(4) == 0 ? OnExhausted.BLOCK_KEY : OnExhausted.DEAD_LETTER;
        this.listeners = listeners;
    }

    static String destination(int number) {
        return "t" + number;
    }

    void start() {
        if (relays.size() < MAX_RELAYS) {
            relays.add(newRelay());
        }
    }

    private RelayCore newRelay() {
        return new RelayBuilder(
                        store,
                        new RouterByTopic(
                                broker.connect(destination(0)), broker.connect(destination(1)), random.nextBoolean()))
                .ordering(ordering)
                .onExhausted(onExhausted)
                .maxAttempts(3)
                .backoff(Backoff.constant(Duration.ofMillis(100)))
                .outageBackoff(Backoff.constant(Duration.ofMillis(50)))
                .workers(1 + random.nextInt(MAX_WORKERS))
                .batchSize(upToMaxBatch())
                .maxInFlight(upToMaxBatch())
                .maxInFlightPerKey(upToMaxBatch())
                .lease(LEASE)
                .deliveryTimeout(DELIVERY_TIMEOUT)
                .housekeepingInterval(Duration.ofMillis(100))
                .sweepInterval(Duration.ofMillis(10))
                .nanoTime(clock::nanoTime)
                .random(new Random(random.nextLong()))
                .owner("relay-" + ++started)
                .buildCore(listeners.get());
    }

    /** Small bounds are reached often; many of a key are in flight only with large ones. */
    private int upToMaxBatch() {
        return random.nextBoolean() ? MAX_BATCH : 1 + random.nextInt(MAX_BATCH);
    }

    private Optional<RelayCore> some() {
        return relays.isEmpty() ? Optional.empty() : Optional.of(relays.get(random.nextInt(relays.size())));
    }

    /** Returns whether there was one. */
    boolean crashOne() {
        Optional<RelayCore> crashed = some();
        crashed.ifPresent(relay -> {
            relays.remove(relay);
            closing.remove(relay);
        });
        return crashed.isPresent();
    }

    void closeOne() {
        some().filter(relay -> !closing.contains(relay)).ifPresent(relay -> {
            closing.add(relay);
            relay.leaveAll();
        });
    }

    /** From now on every call of one relay to the store fails, half of them after their effect. */
    void cutOne() {
        some().ifPresent(cut::add);
    }

    void reconnect() {
        cut.clear();
    }

    /** Whether the relay that makes a step cannot reach the store. */
    boolean isCut() {
        return stepping.filter(cut::contains).isPresent();
    }

    void stepOne() {
        some().ifPresent(relay -> {
            stepping = Optional.of(relay);
            List<Loop> loops = loops(relay);
            loops.get(random.nextInt(loops.size())).step();
        });
    }

    /** The prober of the relay that makes a step has a thread of its own. */
    void stepProber() {
        stepping.ifPresent(relay -> relay.prober().step());
    }

    void stepAll(Optional<LaneWorker> hanging) {
        for (RelayCore relay : List.copyOf(relays)) {
            loops(relay).stream()
                    .filter(loop -> hanging.isEmpty() || loop != hanging.get())
                    .forEach(Loop::step);
        }
    }

    /** A relay that closes takes no lanes any more. */
    private List<Loop> loops(RelayCore relay) {
        List<Loop> loops = new ArrayList<>();
        if (!closing.contains(relay)) {
            loops.add(relay.keeper());
        }
        loops.addAll(relay.loopsWithoutKeeper());
        return loops;
    }

    /** Some crash; at least one remains that does not close. */
    void loseSome() {
        relays.removeIf(relay -> random.nextBoolean());
        closing.retainAll(relays);
        if (relays.stream().allMatch(closing::contains)) {
            if (relays.size() >= MAX_RELAYS) {
                relays.remove(0);
            }
            start();
        }
    }

    /** A worker that may hang for ever without anything being lost, since another one can take lanes. */
    Optional<LaneWorker> someWorkerThatIsNotNeeded() {
        List<LaneWorker> able = relays.stream()
                .filter(relay -> !closing.contains(relay))
                .flatMap(relay -> relay.workers().stream())
                .toList();
        if (able.size() < 2 || random.nextBoolean()) {
            return Optional.empty();
        }
        return Optional.of(able.get(random.nextInt(able.size())));
    }

    @Override
    public String toString() {
        return ordering + " " + onExhausted;
    }

    /** Two destinations, named as the topics that lead to them, whether or not the relay is told that topics decide. */
    private record RouterByTopic(Destination first, Destination second, boolean isDecidedByTopic)
            implements DestinationRouter {

        @Override
        public Destination route(OutboxMessage message) {
            return message.topic().equals(first.name()) ? first : second;
        }

        @Override
        public Collection<Destination> destinations() {
            return List.of(first, second);
        }
    }
}
