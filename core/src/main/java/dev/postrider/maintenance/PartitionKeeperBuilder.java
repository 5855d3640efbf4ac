package dev.postrider.maintenance;

import dev.postrider.internal.Range;
import dev.postrider.internal.SafeListeners;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects the options of a {@link PartitionKeeper}. A bad value is refused at once, with the value and the range. Not
 * thread-safe.
 */
public final class PartitionKeeperBuilder {

    private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);

    private final OutboxStore store;
    private final PartitionPeriod period;
    private final List<MaintenanceListener> listeners = new ArrayList<>();
    private Duration lookahead;
    private Duration retention = Duration.ZERO;
    private Duration lockTimeout = Duration.ofSeconds(2);
    private int maxMovedRows = 50_000;
    private Duration checkEvery = Duration.ofHours(1);
    private Duration lease = Duration.ofMinutes(1);

    PartitionKeeperBuilder(OutboxStore store, PartitionPeriod period) {
        this.store = Objects.requireNonNull(store, "store");
        this.period = Objects.requireNonNull(period, "period");
        this.lookahead = period.defaultLookahead();
    }

    /**
     * How far ahead partitions are created: longer than the keeper may be down. Default: 48 hours, 30 days or 90 days, for
     * hours, days and months. Range: 1 hour to 40, 1000 or 3650 days.
     */
    public PartitionKeeperBuilder lookahead(Duration value) {
        this.lookahead = Range.of("lookahead", value, Duration.ofHours(1), period.maxLookahead());
        return this;
    }

    /**
     * How long delivered messages stay at least; a partition goes when its youngest row could be that old. Default: 0, which
     * drops nothing. Range: 0 to 100 years.
     */
    public PartitionKeeperBuilder retention(Duration value) {
        this.retention = Range.of("retention", value, Duration.ZERO, LONGEST_RETENTION);
        return this;
    }

    /**
     * How long to wait for others who use the audit trail; relays that record deliveries wait as long behind it, at worst.
     * Default: 2 seconds. Range: 1 second to 1 minute.
     */
    public PartitionKeeperBuilder lockTimeout(Duration value) {
        this.lockTimeout = Range.of("lockTimeout", value, Duration.ofSeconds(1), Duration.ofMinutes(1));
        return this;
    }

    /**
     * How many rows may be moved from the tail into a new partition while deliveries wait; with more, it is not created.
     * Default: 50,000. Range: 0 to 100,000,000.
     */
    public PartitionKeeperBuilder maxMovedRows(int value) {
        this.maxMovedRows = Range.of("maxMovedRows", value, 0, 100_000_000);
        return this;
    }

    /** How often to look; a postponed or failed run is repeated after a minute. Default: 1 hour. Range: 10 ms to 30 days. */
    public PartitionKeeperBuilder checkEvery(Duration value) {
        this.checkEvery = Range.of("checkEvery", value, Duration.ofMillis(10), Duration.ofDays(30));
        return this;
    }

    /**
     * How long the task stays with a runner that has died. Longer than any statement takes. Default: 1 minute. Range: 100 ms
     * to 1 day.
     */
    public PartitionKeeperBuilder lease(Duration value) {
        this.lease = Range.of("lease", value, Duration.ofMillis(100), Duration.ofDays(1));
        return this;
    }

    /** Adds a listener. */
    public PartitionKeeperBuilder listener(MaintenanceListener value) {
        listeners.add(Objects.requireNonNull(value, "listener"));
        return this;
    }

    /**
     * Builds the keeper; it does nothing before it is started or run.
     *
     * @throws IllegalArgumentException for a store that knows no range partitions
     */
    public PartitionKeeper build() {
        AuditPartitions partitions = store.maintenance().partitions().orElseThrow(this::noPartitions);
        List<MaintenanceListener> all = new ArrayList<>(listeners);
        all.add(new LoggingListener(PartitionKeeper.class, store.name()));
        return new PartitionKeeper(
                store.maintenance(),
                partitions,
                new PartitionOptions(period, lookahead, retention, lockTimeout, maxMovedRows, checkEvery, lease),
                SafeListeners.of(MaintenanceListener.class, all));
    }

    private IllegalArgumentException noPartitions() {
        return new IllegalArgumentException("The database of outbox " + store.name()
                + " has no range partitions. Use Cleanup, which deletes old rows of a plain audit trail");
    }
}
