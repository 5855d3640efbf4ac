package dev.postrider.relay;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.internal.Range;
import dev.postrider.internal.SafeListeners;
import dev.postrider.spi.FailureClassifier;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.internal.ContainedTracing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Collects the options of a {@link Relay}. A bad value is refused at once, with the value and the range; options that do not
 * fit together are refused by {@link #build()}. Not thread-safe.
 */
public final class RelayBuilder {

    /** Workers of a relay that is given no other number. */
    public static final int DEFAULT_WORKERS = 2;

    /** The lease of a relay that is given no other. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(20);

    /** How long closing waits for what is in flight, if nothing else is said. */
    public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(20);

    /** Of all relays, for the names of their threads. */
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final OutboxStore store;
    private final DestinationRouter router;
    private final List<RelayListener> listeners = new ArrayList<>();
    private Ordering ordering;
    private OnExhausted onExhausted = OnExhausted.DEAD_LETTER;
    private int maxAttempts = 10;
    private boolean isMaxAttemptsGiven;
    private Backoff backoff = Backoff.exponential(Duration.ofMillis(200), Duration.ofMinutes(5));
    private Optional<Duration> unavailableLimit = Optional.empty();
    private Backoff outageBackoff = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(10));
    private FailureClassifier failureClassifier = FailureClassifier.asReported();
    private int workers = DEFAULT_WORKERS;
    private int batchSize = 500;
    private int maxInFlight = 10_000;
    private int maxInFlightPerKey = 1_000;
    private long maxInFlightBytes = 16L << 20;
    private Duration lease = DEFAULT_LEASE;
    private Optional<Duration> deliveryTimeout = Optional.empty();
    private Duration minPollInterval = Duration.ofMillis(5);
    private Duration maxPollInterval = Duration.ofMillis(250);
    private Duration settleDelay = Duration.ofMillis(20);
    private Duration housekeepingInterval = Duration.ofSeconds(1);
    private Duration sweepInterval = Duration.ofSeconds(30);
    private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
    private TraceContext tracing = TraceContext.NONE;
    private Executor executor = loop -> new DaemonThreads("postrider-" + THREADS.incrementAndGet())
            .newThread(loop)
            .start();
    private LongSupplier nanoTime = System::nanoTime;
    private Random random = new Random();
    private String owner = "";

    RelayBuilder(OutboxStore store, DestinationRouter router) {
        this.store = Objects.requireNonNull(store, "store");
        this.router = Objects.requireNonNull(router, "router");
        this.ordering = store.defaultOrdering();
    }

    /**
     * What order is kept; all relays of one outbox must agree. Default: {@link Ordering#PER_KEY}, unless the
     * {@linkplain OutboxStore#defaultOrdering() store} has another.
     */
    public RelayBuilder ordering(Ordering value) {
        this.ordering = Objects.requireNonNull(value, "ordering");
        return this;
    }

    /** What happens to a message that is rejected or whose attempts ran out. Default: {@link OnExhausted#DEAD_LETTER}. */
    public RelayBuilder onExhausted(OnExhausted value) {
        this.onExhausted = Objects.requireNonNull(value, "onExhausted");
        return this;
    }

    /**
     * Maximum number of attempts to deliver a message; outages do not count. Default: 10, or fewer where the store allows fewer. Range: 1 to
     * 1,000,000.
     */
    public RelayBuilder maxAttempts(int value) {
        this.maxAttempts = Range.of("maxAttempts", value, 1, 1_000_000);
        this.isMaxAttemptsGiven = true;
        return this;
    }

    /** How long a failed message waits. Default: exponential from 200 ms to 5 minutes. */
    public RelayBuilder backoff(Backoff value) {
        this.backoff = Objects.requireNonNull(value, "backoff");
        return this;
    }

    /** How long the relay waits before it tries an unreachable destination again. Default: exponential from 200 ms to 10 seconds. */
    public RelayBuilder outageBackoff(Backoff value) {
        this.outageBackoff = Objects.requireNonNull(value, "outageBackoff");
        return this;
    }

    /**
     * How old a message may become that waits for a place of its destination that is missing, forbidden or full. An older one is given up
     * when it is tried, as {@link #onExhausted} says. Default: none, it waits for as
     * long as it takes. Range: 1 second to 365 days.
     */
    public RelayBuilder unavailableLimit(Duration value) {
        this.unavailableLimit =
                Optional.of(Range.of("unavailableLimit", value, Duration.ofSeconds(1), Duration.ofDays(365)));
        return this;
    }

    /** Overrules how destinations judge failures. Default: as they report. */
    public RelayBuilder failureClassifier(FailureClassifier value) {
        this.failureClassifier = Objects.requireNonNull(value, "failureClassifier");
        return this;
    }

    /**
     * How many threads fetch, dispatch and settle; each needs one connection of the pool. More help when the database is far
     * away. Default: 2. Range: 1 to 64.
     */
    public RelayBuilder workers(int value) {
        this.workers = Range.of("workers", value, 1, 64);
        return this;
    }

    /** How many outcomes are recorded at once, and half of what a worker reads ahead. Default: 500. Range: 1 to 10,000. */
    public RelayBuilder batchSize(int value) {
        this.batchSize = Range.of("batchSize", value, 1, 10_000);
        return this;
    }

    /**
     * How many messages may be in flight to each destination. The relay begins with 1,000, and has more in flight while sends end within
     * half a second, or a twentieth of {@link #deliveryTimeout} if that is shorter. Up to this many may arrive twice after a fault. Default: 10,000. Range: 1 to 100,000.
     */
    public RelayBuilder maxInFlight(int value) {
        this.maxInFlight = Range.of("maxInFlight", value, 1, 100_000);
        return this;
    }

    /**
     * How many messages of a key may be in flight to a destination that keeps their order ({@link KeyOrder#PIPELINED}); any other gets
     * one at a time. Up to this many may arrive twice after a fault. Default: 1,000. Range: 1 to 100,000.
     */
    public RelayBuilder maxInFlightPerKey(int value) {
        this.maxInFlightPerKey = Range.of("maxInFlightPerKey", value, 1, 100_000);
        return this;
    }

    /**
     * How many payload bytes may be in flight to each destination; memory use is about twice that. Default: 16 MiB. Range: 1 KiB
     * to 4 GiB.
     */
    public RelayBuilder maxInFlightBytes(long value) {
        this.maxInFlightBytes = Range.of("maxInFlightBytes", value, 1L << 10, 4L << 30);
        return this;
    }

    /**
     * How long a lane stays with a relay that has died. A shorter lease means a quicker takeover; it must be at least twice the
     * delivery timeout. Default: 20 seconds. Range: 500 ms to 1 hour.
     */
    public RelayBuilder lease(Duration value) {
        this.lease = Range.of("lease", value, Duration.ofMillis(500), Duration.ofHours(1));
        return this;
    }

    /**
     * Maximum time for a send to report its outcome; the relay begins no send with less than that left of the lease.
     * Must be at least the destination's own. Default: half of the lease. Range: 10 ms to 30 minutes.
     */
    public RelayBuilder deliveryTimeout(Duration value) {
        this.deliveryTimeout =
                Optional.of(Range.of("deliveryTimeout", value, Duration.ofMillis(10), Duration.ofMinutes(30)));
        return this;
    }

    /** How soon to look again after the first empty look. Default: 5 ms. Range: 1 ms to 1 hour. */
    public RelayBuilder minPollInterval(Duration value) {
        this.minPollInterval = Range.of("minPollInterval", value, Duration.ofMillis(1), Duration.ofHours(1));
        return this;
    }

    /** How long the pauses between empty looks may grow. Default: 250 ms. Range: 1 ms to 1 hour. */
    public RelayBuilder maxPollInterval(Duration value) {
        this.maxPollInterval = Range.of("maxPollInterval", value, Duration.ofMillis(1), Duration.ofHours(1));
        return this;
    }

    /** How long an outcome may wait to be recorded together with others. Default: 20 ms. Range: 0 to 10 seconds. */
    public RelayBuilder settleDelay(Duration value) {
        this.settleDelay = Range.of("settleDelay", value, Duration.ZERO, Duration.ofSeconds(10));
        return this;
    }

    /** How often to look for due delayed messages and for operators' requests. Default: 1 second. Range: 10 ms to 1 hour. */
    public RelayBuilder housekeepingInterval(Duration value) {
        this.housekeepingInterval = Range.of("housekeepingInterval", value, Duration.ofMillis(10), Duration.ofHours(1));
        return this;
    }

    /** How often each lane is checked for rows that the scan missed. Default: 30 seconds. Range: 10 ms to 1 day. */
    public RelayBuilder sweepInterval(Duration value) {
        this.sweepInterval = Range.of("sweepInterval", value, Duration.ofMillis(10), Duration.ofDays(1));
        return this;
    }

    /** How long {@link Relay#close()} waits for what is in flight. Default: 20 seconds. Range: 0 to 1 hour. */
    public RelayBuilder closeTimeout(Duration value) {
        this.closeTimeout = Range.of("closeTimeout", value, Duration.ZERO, Duration.ofHours(1));
        return this;
    }

    /**
     * Runs the relay's loops, each for the relay's whole life: it must have room for two more than the workers. For virtual
     * threads, for example. Default: daemon threads of its own.
     */
    public RelayBuilder executor(Executor value) {
        this.executor = Objects.requireNonNull(value, "executor");
        return this;
    }

    /** Adds a listener. */
    public RelayBuilder listener(RelayListener value) {
        listeners.add(Objects.requireNonNull(value, "listener"));
        return this;
    }

    /**
     * Makes a span of each attempt to send a message. It is current on the thread that sends, so that the spans of the broker's own client become
     * part of it. Headers of messages stay as they are. Default: none.
     */
    public RelayBuilder tracing(TraceContext value) {
        this.tracing = Objects.requireNonNull(value, "tracing");
        return this;
    }

    /** Replaces the monotonic clock, for tests. */
    RelayBuilder nanoTime(LongSupplier value) {
        this.nanoTime = value;
        return this;
    }

    /** Replaces the dice, for tests. */
    RelayBuilder random(Random value) {
        this.random = value;
        return this;
    }

    /** Instead of one that is never given twice. For tests that replay a history. */
    RelayBuilder owner(String value) {
        this.owner = value;
        return this;
    }

    /** Checks that the options fit together and builds the relay; it does nothing before it is started. */
    public Relay build() {
        Drain drain = new Drain();
        return new Relay(buildCore(drain), executor, drain);
    }

    RelayCore buildCore(RelayListener internal) {
        RelayOptions options = options();
        new FittingOptions(options, store, router).require();
        String name = owner.isEmpty() ? RelayName.next() : owner;
        List<RelayListener> all = new ArrayList<>(listeners);
        RelayLog log = new RelayLog(store.name(), name);
        all.add(new MessageLog(log));
        all.add(new LoggingListener(log));
        all.add(internal);
        RepeatedFailures failures = new RepeatedFailures(nanoTime, options.lease());
        all.add(failures);
        StoreHealth storeHealth = new StoreHealth();
        all.add(storeHealth);
        RelayContext context = new RelayContext(
                name,
                store,
                store.forRelay(ordering),
                options,
                SafeListeners.of(RelayListener.class, all),
                ContainedTracing.of(tracing),
                nanoTime,
                random);
        return new RelayCore(context, router, failures, storeHealth);
    }

    private RelayOptions options() {
        return new RelayOptions(
                ordering,
                onExhausted,
                maxAttempts(),
                new CheckedBackoff(backoff),
                new CheckedBackoff(outageBackoff),
                unavailableLimit,
                failureClassifier,
                usefulWorkers(),
                batchSize,
                maxInFlight,
                maxInFlightPerKey,
                maxInFlightBytes,
                lease,
                deliveryTimeout(),
                minPollInterval,
                maxPollInterval,
                settleDelay,
                housekeepingInterval,
                sweepInterval,
                closeTimeout);
    }

    /** No more than may send at once, so that each can have one message in flight and the limits hold. */
    private int usefulWorkers() {
        return ordering == Ordering.GLOBAL ? 1 : Math.min(workers, maxInFlight);
    }

    private int maxAttempts() {
        return isMaxAttemptsGiven ? maxAttempts : Math.min(maxAttempts, store.maxSupportedAttempts());
    }

    private Duration deliveryTimeout() {
        return deliveryTimeout.orElse(lease.dividedBy(2));
    }
}
