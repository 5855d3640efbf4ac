package dev.postrider.relay;

import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.Lease;
import java.util.function.LongSupplier;

/** The time for which a lease is believed, counted on the monotonic clock. Prolonged and ended by its worker, read by any thread. */
final class Tenure implements LaneTenure {

    private final Lease lease;
    private final LongSupplier nanoTime;
    private volatile long validUntil;
    private volatile boolean isOver;

    Tenure(Lease lease, LongSupplier nanoTime) {
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.validUntil = nanoTime.getAsLong();
    }

    @Override
    public int lane() {
        return lease.lane();
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    @Override
    public boolean isCertain() {
        return !isOver && nanoTime.getAsLong() - validUntil < 0;
    }

    void lastUntil(long nanos) {
        validUntil = nanos;
    }

    /** The lane was lost or released. */
    void end() {
        isOver = true;
    }
}
