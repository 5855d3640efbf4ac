package dev.postrider.cli.demo;

import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** The relays of the demo. The second is killed, at a certain send or at the latest when told so. */
final class RelayFleet implements AutoCloseable {

    private static final int VICTIM = 2;

    private final List<DemoRelay> relays = new ArrayList<>();
    private final TakeOver takeOver = new TakeOver();
    private final RelayWatch watch = new RelayWatch(takeOver);
    private final AtomicBoolean isKillDue = new AtomicBoolean(true);

    private final int laneCount;

    private RelayFleet(int laneCount) {
        this.laneCount = laneCount;
    }

    /** Builds and starts so many relays; one dies right after its last send. */
    static RelayFleet start(int count, int lastSend, DemoDatabase database, Destination destination) {
        RelayFleet fleet = new RelayFleet(database.laneCount());
        for (int number = 1; number <= count; number++) {
            Lifeline lifeline = new Lifeline();
            Destination guarded = lifeline.guard(Destination.class, destination);
            Destination its =
                    number == VICTIM ? new FatalDestination(guarded, lifeline, lastSend, fleet::kill) : guarded;
            fleet.relays.add(DemoRelay.build(number, lifeline, database, its, fleet.watch));
        }
        fleet.relays.forEach(DemoRelay::start);
        return fleet;
    }

    /** Kills the victim unless it is dead already. */
    void kill() {
        if (isKillDue.getAndSet(false)) {
            DemoRelay victim = relays.get(VICTIM - 1);
            victim.kill();
            takeOver.killed(victim.lanes());
        }
    }

    /** Whether every lane has an owner and no relay has more than its share. */
    boolean isShared() {
        int share = (laneCount + relays.size() - 1) / relays.size();
        int owned = relays.stream().mapToInt(relay -> relay.lanes().size()).sum();
        return owned == laneCount
                && relays.stream().allMatch(relay -> relay.lanes().size() <= share);
    }

    RelayWatch watch() {
        return watch;
    }

    TakeOver takeOver() {
        return takeOver;
    }

    int victim() {
        return VICTIM;
    }

    /** Who owns how many lanes. */
    @Override
    public String toString() {
        return relays.stream().map(RelayFleet::describe).collect(Collectors.joining(", "));
    }

    private static String describe(DemoRelay relay) {
        return relay.number() + ": "
                + (relay.isKilled() ? "killed" : relay.lanes().size() + " lanes");
    }

    /** Closes those that live. */
    @Override
    public void close() {
        relays.forEach(DemoRelay::close);
    }
}
