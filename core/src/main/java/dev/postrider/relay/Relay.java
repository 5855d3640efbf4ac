package dev.postrider.relay;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.WakeSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries committed messages from an outbox to their destination.
 *
 * <p>Guarantees: every committed message is delivered at least once, or is visible as held or as a dead letter; messages of
 * one key go out in order; a message leaves the outbox only after a durable acknowledgement. Any number of relays, in any
 * number of processes, share the lanes of one outbox; when one dies, the others take over after its lease.
 *
 * <p>Thread-safe. A relay is started once and closed once.
 *
 * <pre>{@code
 * try (Relay relay = Relay.builder(store, destination).build()) {
 *     relay.start();
 *     …
 * }
 * }</pre>
 */
public final class Relay implements AutoCloseable {

    private enum Stage {
        NEW,
        RUNNING,
        CLOSED
    }

    /** Of the close time-out, an eighth is spent while the store is away. */
    private static final int SHARE_WITHOUT_STORE = 8;

    private static final long SHORTEST_END = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LONGEST_END = TimeUnit.SECONDS.toNanos(5);

    private final RelayCore core;
    private final Executor executor;
    private final Drain drain;
    private final List<LoopRunner> runners = new ArrayList<>();
    private @Nullable LoopRunner keeperRunner;
    private WakeSignal.@Nullable Registration wakeRegistration;
    private volatile Stage stage = Stage.NEW;

    Relay(RelayCore core, Executor executor, Drain drain) {
        this.core = core;
        this.executor = executor;
        this.drain = drain;
    }

    /** A relay from this store to this destination. */
    public static RelayBuilder builder(OutboxStore store, Destination destination) {
        return new RelayBuilder(store, DestinationRouter.to(destination));
    }

    /** A relay from this store to several destinations. */
    public static RelayBuilder builder(OutboxStore store, DestinationRouter router) {
        return new RelayBuilder(store, router);
    }

    /** A relay with every option at its default. */
    public static Relay withDefaults(OutboxStore store, Destination destination) {
        return builder(store, destination).build();
    }

    /** Begins to take lanes and to deliver. Returns at once. */
    public synchronized void start() {
        if (stage != Stage.NEW) {
            throw new IllegalStateException("The relay is " + stage + "; a relay is started once, build a new one");
        }
        stage = Stage.RUNNING;
        wakeRegistration = core.context().store().wakeSignal().listen(core::wake);
        try {
            for (Loop loop : core.loopsWithoutKeeper()) {
                runners.add(run(loop));
            }
            keeperRunner = run(core.keeper());
        } catch (RuntimeException refused) {
            // An executor that takes some of the loops only: without the keeper no lane was taken.
            wakeRegistration.close();
            runners.forEach(LoopRunner::stop);
            stage = Stage.CLOSED;
            throw refused;
        }
        core.context().listener().started(this);
    }

    private LoopRunner run(Loop loop) {
        LoopRunner runner = new LoopRunner(loop, core.context().listener());
        executor.execute(runner);
        return runner;
    }

    /**
     * Delivers everything that is deliverable now, on the calling thread, and releases the lanes: for tests and for cron.
     * Lanes that other relays own are left to them; messages that are not due yet stay. Not for a relay that was started.
     */
    public synchronized DrainReport drainOnce() {
        if (stage != Stage.NEW) {
            throw new IllegalStateException(
                    "The relay is " + stage + "; drainOnce is for a relay that was not started");
        }
        return drain.run(core);
    }

    /** Looks for new messages at once instead of at the next poll. */
    public void wake() {
        core.wake();
    }

    /** Pauses a destination for all relays of this outbox; other destinations go on. */
    public void pause(String destination) {
        requireKnown(destination);
        core.context().store().pauses().pause(destination, core.context().owner());
        core.keeper().unpark();
    }

    /** Ends a pause, for all relays of this outbox. */
    public void resume(String destination) {
        requireKnown(destination);
        core.context().store().pauses().resume(destination, core.context().owner());
        core.keeper().unpark();
    }

    private void requireKnown(String destination) {
        List<String> names = core.gates().stream().map(DestinationGate::name).toList();
        if (!names.contains(destination)) {
            throw new IllegalArgumentException("There is no destination '" + destination + "', only " + names);
        }
    }

    public boolean isRunning() {
        return stage == Stage.RUNNING;
    }

    /**
     * What the relay has asked of its store for longer than a lease, and never got: fetch, settle, release delayed messages and
     * so on. Empty when all is well, and while it does not run. A process whose relay stays in trouble is not ready.
     */
    public Optional<String> trouble() {
        return isRunning() ? core.trouble() : Optional.empty();
    }

    /**
     * Whether a worker has hung for longer than a lease, in the store or in a destination: others may have its lanes by now. A
     * process whose relay stays so should be restarted.
     */
    public boolean isStalled() {
        return stage == Stage.RUNNING && core.workers().stream().anyMatch(LaneWorker::isStalled);
    }

    /** The lanes that this relay owns now. */
    public Set<Integer> ownedLanes() {
        return core.keeper().ownedLanes();
    }

    /** How each destination stands, by name. */
    public Map<String, DestinationState> destinations() {
        return core.gates().stream().collect(Collectors.toMap(DestinationGate::name, DestinationGate::state));
    }

    /** Places of its destinations that this relay found missing, forbidden or full, and for which messages wait. */
    public List<UnavailablePlace> unavailablePlaces() {
        return core.gates().stream()
                .flatMap(gate -> gate.unavailablePlaces().stream())
                .toList();
    }

    /** The name of this relay instance, of host, process and a random id: the owner in the lane table. */
    public String id() {
        return core.context().owner();
    }

    /**
     * Stops taking work, waits for what is in flight up to the close time-out, records it and releases the lanes. What has
     * not ended by then is delivered again by another relay once the lease is over. While the database is away nothing can be
     * recorded, and an eighth of the close time-out is the most that is waited. Idempotent.
     */
    @Override
    public synchronized void close() {
        if (stage == Stage.RUNNING) {
            requireNonNull(wakeRegistration).close();
            stopGracefully(
                    requireNonNull(keeperRunner), core.context().options().closeTimeout());
            stage = Stage.CLOSED;
            core.workers().forEach(LaneWorker::endSpans);
            core.context().listener().closed(this);
        }
        stage = Stage.CLOSED;
    }

    private void stopGracefully(LoopRunner keeper, Duration timeout) {
        Duration patience = timeout.dividedBy(SHARE_WITHOUT_STORE);
        long start = System.nanoTime();
        try {
            keeper.stop();
            boolean keeperHasEnded = keeper.awaitEnd(patience.toNanos());
            core.leaveAll();
            while (!(keeperHasEnded && core.ownsNothing()) && !isOver(start, timeout, patience)) {
                Thread.sleep(1);
                if (!keeperHasEnded && keeper.awaitEnd(0)) {
                    keeperHasEnded = true;
                    core.leaveAll();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            stopLoops(patience);
        }
    }

    /** Nothing can be recorded while the store is away: others send it again, and take the lanes when their leases are over. */
    private boolean isOver(long start, Duration timeout, Duration patience) {
        long passed = System.nanoTime() - start;
        return passed > timeout.toNanos() || (passed > patience.toNanos() && isStoreAway(patience));
    }

    private boolean isStoreAway(Duration longest) {
        return core.isStoreFailing() || runners.stream().anyMatch(runner -> runner.isWorkerHanging(longest));
    }

    private void stopLoops(Duration patience) {
        runners.forEach(LoopRunner::stop);
        boolean isStoreAway = isStoreAway(patience);
        long start = core.context().now();
        long giveUpAt = System.nanoTime() + (isStoreAway ? SHORTEST_END : LONGEST_END);
        try {
            for (LoopRunner runner : runners) {
                runner.awaitEnd(giveUpAt - System.nanoTime());
            }
            if (!isStoreAway) {
                core.context().store().leases().leave(core.context().owner());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            core.context()
                    .listener()
                    .storeFailed(StoreOperation.LEAVE, failure, core.context().since(start));
        }
    }
}
