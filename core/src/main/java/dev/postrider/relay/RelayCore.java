package dev.postrider.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The parts of one relay, wired together but without threads. */
final class RelayCore {

    private final RelayContext context;
    private final RepeatedFailures failures;
    private final List<DestinationGate> gates;
    private final List<LaneWorker> workers;
    private final LaneKeeper keeper;
    private final GateProber prober;
    private final StoreHealth storeHealth;

    RelayCore(RelayContext context, DestinationRouter router, RepeatedFailures failures, StoreHealth storeHealth) {
        this.context = context;
        this.failures = failures;
        this.storeHealth = storeHealth;
        this.gates = router.destinations().stream()
                .map(destination -> new DestinationGate(destination, context))
                .toList();
        this.workers = IntStream.range(0, context.options().workers())
                .mapToObj(number -> new LaneWorker(context, router, gates))
                .toList();
        this.keeper = new LaneKeeper(context, workers, gates);
        this.prober = new GateProber(gates);
    }

    /** What it has asked of the store for longer than a lease, and never got. */
    Optional<String> trouble() {
        return failures.longest();
    }

    RelayContext context() {
        return context;
    }

    List<LaneWorker> workers() {
        return workers;
    }

    LaneKeeper keeper() {
        return keeper;
    }

    GateProber prober() {
        return prober;
    }

    Collection<DestinationGate> gates() {
        return gates;
    }

    /** The loops besides the keeper, which starts last and ends first. */
    List<Loop> loopsWithoutKeeper() {
        List<Loop> loops = new ArrayList<>(workers);
        loops.add(prober);
        return loops;
    }

    void wake() {
        workers.forEach(LaneWorker::wake);
    }

    boolean ownsNothing() {
        return keeper.ownedLanes().isEmpty();
    }

    boolean isStoreFailing() {
        return storeHealth.isFailing();
    }

    void leaveAll() {
        workers.forEach(worker -> worker.roster().leaveAll());
    }
}
