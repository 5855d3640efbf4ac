package dev.postrider.maintenance;

import dev.postrider.internal.Range;
import dev.postrider.internal.SafeListeners;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Collects the options of a {@link Cleanup}. A bad value is refused at once, with the value and the range. Not thread-safe. */
public final class CleanupBuilder {

    private static final Duration SHORTEST_RETENTION = Duration.ofMillis(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);

    private final OutboxStore store;
    private final Duration retention;
    private final List<MaintenanceListener> listeners = new ArrayList<>();
    private Optional<Duration> deadLetterRetention = Optional.empty();
    private Duration dedupRetention = Duration.ofDays(7);
    private Duration operationRetention = Duration.ofDays(365);
    private int limit = 10_000;
    private Duration pause = Duration.ofMillis(50);
    private Duration checkEvery = Duration.ofHours(1);
    private Duration lease = Duration.ofMinutes(1);

    CleanupBuilder(OutboxStore store, Duration retention) {
        this.store = Objects.requireNonNull(store, "store");
        this.retention = retention("retention", retention);
    }

    private static Duration retention(String option, Duration value) {
        return Range.of(option, value, SHORTEST_RETENTION, LONGEST_RETENTION);
    }

    /** Deletes dead letters too, as old as the audit trail's. Default: dead letters stay until an operator acts. */
    public CleanupBuilder includeDead() {
        return includeDead(retention);
    }

    /**
     * Deletes dead letters that died longer ago than this, except those whose retry is requested. Default: dead letters stay
     * until an operator acts. Range: 1 ms to 100 years.
     */
    public CleanupBuilder includeDead(Duration value) {
        this.deadLetterRetention = Optional.of(retention("includeDead", value));
        return this;
    }

    /**
     * How long a dedup key is remembered; a message with a forgotten one is enqueued again. Longer than any writer may
     * repeat itself. Default: 7 days. Range: 1 ms to 100 years.
     */
    public CleanupBuilder dedupRetention(Duration value) {
        this.dedupRetention = retention("dedupRetention", value);
        return this;
    }

    /**
     * How long the records of what operators and cleanups did stay: the operation table. Default: 365 days. Range: 1 ms to 100
     * years.
     */
    public CleanupBuilder operationRetention(Duration value) {
        this.operationRetention = retention("operationRetention", value);
        return this;
    }

    /** How many rows one statement deletes at most. Default: 10,000. Range: 1 to 1,000,000. */
    public CleanupBuilder limit(int value) {
        this.limit = Range.of("limit", value, 1, 1_000_000);
        return this;
    }

    /** The pause after each statement; longer is gentler to the database. Default: 50 ms. Range: 0 to 1 minute. */
    public CleanupBuilder pause(Duration value) {
        this.pause = Range.of("pause", value, Duration.ZERO, Duration.ofMinutes(1));
        return this;
    }

    /** How often to look; a failed run is repeated after a minute. Default: 1 hour. Range: 10 ms to 30 days. */
    public CleanupBuilder checkEvery(Duration value) {
        this.checkEvery = Range.of("checkEvery", value, Duration.ofMillis(10), Duration.ofDays(30));
        return this;
    }

    /**
     * How long the task stays with a runner that has died. Longer than any statement takes. Default: 1 minute. Range: 100 ms
     * to 1 day.
     */
    public CleanupBuilder lease(Duration value) {
        this.lease = Range.of("lease", value, Duration.ofMillis(100), Duration.ofDays(1));
        return this;
    }

    /** Adds a listener. */
    public CleanupBuilder listener(MaintenanceListener value) {
        listeners.add(Objects.requireNonNull(value, "listener"));
        return this;
    }

    /** Builds the cleanup; it does nothing before it is started or run. */
    public Cleanup build() {
        List<MaintenanceListener> all = new ArrayList<>(listeners);
        all.add(new LoggingListener(Cleanup.class, store.name()));
        return new Cleanup(
                store,
                new CleanupOptions(
                        retention,
                        deadLetterRetention,
                        dedupRetention,
                        operationRetention,
                        limit,
                        pause,
                        checkEvery,
                        lease),
                SafeListeners.of(MaintenanceListener.class, all));
    }
}
