package dev.postrider.relay;

import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LeaseLostException;

/** Makes the held rows of lanes just taken consistent, before anything of them is read. */
final class LaneOpener {

    private final RelayContext context;
    private final LaneLoop loop;
    private final LaneScan scan;
    private final WorkerGates gates;
    private final LaneRoster roster;
    private final Agenda agenda;

    LaneOpener(WorkerContext worker, LaneLoop loop, LaneScan scan, LaneRoster roster) {
        this.context = worker.relay();
        this.loop = loop;
        this.scan = scan;
        this.gates = worker.gates();
        this.roster = roster;
        this.agenda = worker.agenda();
    }

    void openNewLanes() {
        loop.forEach(OwnedLane::isNew, this::openSafely);
    }

    private void openSafely(OwnedLane lane) {
        long start = context.now();
        try {
            open(lane);
        } catch (LeaseLostException lost) {
            roster.lose(lane);
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.TAKE_OVER_LANE, failure, context.since(start));
        }
    }

    private void open(OwnedLane lane) {
        context.relayStore().held().repair(lane.lease(), gates.names());
        scan.add(lane.taken);
        lane.open(context.options().ordering());
        agenda.lookAtNewLane();
    }
}
