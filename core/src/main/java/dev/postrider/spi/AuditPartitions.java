package dev.postrider.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The range partitions of the audit trail, by time of delivery.
 *
 * <p>There is always a tail, a partition that takes what no other one takes: without it recording a delivery would fail, and
 * the message would be sent for ever. Only delivered messages are in here, so dropping a partition cannot lose one.
 * Thread-safe, but meant for one runner at a time ({@link Maintenance#takeTask}).
 */
public interface AuditPartitions {

    /**
     * What there is now.
     *
     * @throws StoreException when the audit trail is missing, is not partitioned by range of the delivery time, or has no
     *     tail; it says which and what to do
     */
    Layout read();

    /**
     * Creates a partition beside the existing ones. Rows of its range that lie in the tail move with it, all or none. To be
     * called in order of time: where ranges have no gaps, it reaches down to its predecessor. One that is there already is
     * done: a runner that hung for longer than its lease works by an old plan.
     *
     * @param lockTimeout how long to wait for others who use the table; they wait as long behind this call
     * @param maxMovedRows how many rows may be moved, since recording deliveries waits for it
     * @throws StoreException when the name is taken by something else, or the store refuses
     */
    Outcome create(Partition partition, Duration lockTimeout, int maxMovedRows);

    /** Drops a partition with its rows, if it still is what {@link #read()} has shown. Never the tail. */
    Outcome drop(Partition partition, Duration lockTimeout);

    /** Deletes rows of the tail as {@link Maintenance#deleteSent} does; other partitions are not touched. */
    int deleteFromTail(Duration olderThan, int limit);

    /**
     * The partitions of the audit trail.
     *
     * @param databaseTime when it was read, by the store's clock
     * @param partitions in order of time, without the tail
     * @param tail the name of the tail
     * @param namePrefix what the names of new partitions must begin with; may be empty
     * @param kept partitions beside those that may never be dropped as they are, since they hold messages that were not delivered
     */
    record Layout(
            Instant databaseTime, List<Partition> partitions, String tail, String namePrefix, List<Partition> kept) {
        public Layout {
            partitions = List.copyOf(partitions);
            kept = List.copyOf(kept);
        }

        /** A layout in which every partition may be dropped. */
        public Layout(Instant databaseTime, List<Partition> partitions, String tail, String namePrefix) {
            this(databaseTime, partitions, tail, namePrefix, List.of());
        }
    }

    /**
     * One partition.
     *
     * @param from its lower bound, inclusive; {@link Instant#MIN} if there is none
     * @param upTo its upper bound, exclusive; {@link Instant#MAX} if there is none
     */
    record Partition(String name, Instant from, Instant upTo) {}

    /** How an attempt ended. */
    enum Outcome {
        /** It is done. */
        DONE,
        /** Somebody uses the table in a way that excludes it; nothing was changed. Try again later. */
        BUSY,
        /** The tail holds more rows of this range than may be moved; nothing was changed. */
        TOO_MANY_ROWS
    }
}
