package dev.postrider.spi;

import dev.postrider.message.PostriderException;

/** A fenced statement was refused, because the lane has a newer owner. Nothing was changed. */
public final class LeaseLostException extends PostriderException {

    private static final long serialVersionUID = 1L;

    private final transient Lease lease;

    public LeaseLostException(Lease lease) {
        super("Lane " + lease.lane() + " is no longer owned by " + lease.owner() + " at epoch " + lease.epoch());
        this.lease = lease;
    }

    public Lease lease() {
        return lease;
    }
}
