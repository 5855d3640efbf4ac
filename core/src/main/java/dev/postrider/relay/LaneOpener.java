package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LeaseLostException;
import java.util.function.Consumer;

/** Makes the held rows of lanes just taken consistent, before anything of them is read. */
final class LaneOpener {

    private final RelayContext context;
    private final LaneLoop loop;
    private final LaneScan scan;
    private final WorkerGates gates;
    private final Consumer<OwnedLane> onLeaseLost;
    private final Runnable onOpened;

    LaneOpener(
            RelayContext context,
            LaneLoop loop,
            LaneScan scan,
            WorkerGates gates,
            Consumer<OwnedLane> onLeaseLost,
            Runnable onOpened) {
        this.context = context;
        this.loop = loop;
        this.scan = scan;
        this.gates = gates;
        this.onLeaseLost = onLeaseLost;
        this.onOpened = onOpened;
    }

    void openNewLanes() {
        loop.forEach(lane -> lane.phase == Phase.NEW, this::openSafely);
    }

    private void openSafely(OwnedLane lane) {
        long start = context.now();
        try {
            open(lane);
        } catch (LeaseLostException lost) {
            onLeaseLost.accept(lane);
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.TAKE_OVER_LANE, failure, context.since(start));
        }
    }

    private void open(OwnedLane lane) {
        context.store().held().repair(lane.lease(), context.options().ordering(), gates.names());
        scan.add(lane.taken);
        lane.isScanned = true;
        lane.phase = Phase.ACTIVE;
        lane.hasUnassigned = true;
        lane.gateUntilHeldIsRead(context.options().ordering());
        onOpened.run();
    }
}
