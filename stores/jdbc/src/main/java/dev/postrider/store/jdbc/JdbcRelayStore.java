package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.Settlements;
import java.util.Set;
import java.util.function.Supplier;

/** The shared parts that a relay uses, for the order that it keeps. */
final class JdbcRelayStore implements RelayStore {

    private final JdbcContext context;
    private final Supplier<LaneScan> scans;
    private final Settlements settlements;
    private final HeldMessages held;
    private final DelayedRelease delayed;

    JdbcRelayStore(JdbcContext context, Supplier<LaneScan> scans, Settlements settlements, Ordering ordering) {
        this.context = context;
        this.scans = scans;
        this.settlements = settlements;
        this.held = new JdbcHeldMessages(context, ordering);
        this.delayed = new DelayedRelease(context);
    }

    @Override
    public LaneScan openScan() {
        return new UndamagedScan(context, scans.get());
    }

    @Override
    public Settlements settlements() {
        return settlements;
    }

    @Override
    public HeldMessages held() {
        return held;
    }

    @Override
    public Released releaseDelayed(Set<Integer> lanes, int limit) {
        return delayed.release(lanes, limit);
    }
}
