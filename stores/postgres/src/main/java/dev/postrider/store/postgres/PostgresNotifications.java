package dev.postrider.store.postgres;

import dev.postrider.internal.Range;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.WakeSignal;
import dev.postrider.store.jdbc.UnmanagedDataSource;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Wakes relays in other processes by LISTEN and NOTIFY as soon as a message is committed, instead of at their next poll.
 *
 * <p>A writer's {@link WakeSignal} is passed on after its commit, on a connection of its own and at most once per
 * {@link Builder#debounce}; never inside the business transaction, where NOTIFY would make all commits wait for each other.
 * Whether notifications really arrive is checked at the start and again and again: a pooler in transaction mode swallows
 * them. Relays poll in any case, so that a lost notification costs latency only.
 *
 * <p>Takes one connection for its life and borrows another for moments. Thread-safe.
 *
 * <pre>{@code
 * try (PostgresNotifications notifications = PostgresNotifications.start(store, dataSource)) {
 *     …
 * }
 * }</pre>
 */
public final class PostgresNotifications implements AutoCloseable {

    /** Whether notifications arrive here. */
    public enum State {
        /** Not known yet. */
        STARTING,
        /** The last check arrived. */
        ARRIVING,
        /** The last check did not arrive, or there is no connection: new messages are found by polling. */
        NOT_ARRIVING
    }

    private final NotificationSender sender;
    private final NotificationListener listener;
    private final WakeSignal.Registration registration;

    private PostgresNotifications(Builder builder) {
        NotificationChannel channel = new NotificationChannel(builder.dataSource, builder.store.name());
        WakeSignal signal = builder.store.wakeSignal();
        this.sender = new NotificationSender(channel, builder.debounce);
        this.listener = new NotificationListener(channel, signal, builder.checkInterval, builder.checkTimeout);
        this.registration = signal.listen(this::passOn);
        sender.start();
        listener.start();
    }

    /** Starts with the default options. */
    public static PostgresNotifications start(OutboxStore store, DataSource dataSource) {
        return builder(store, dataSource).start();
    }

    /** The data source must lead to the server itself and not through a pooler in transaction mode. */
    public static Builder builder(OutboxStore store, DataSource dataSource) {
        return new Builder(store, dataSource);
    }

    public State state() {
        return listener.state();
    }

    /** How often others were told of new messages. */
    long sent() {
        return sender.sent();
    }

    /** What came from others is not passed on to them again. */
    private void passOn() {
        if (!listener.isCurrentThread()) {
            sender.wake();
        }
    }

    @Override
    public void close() {
        registration.close();
        sender.close();
        listener.close();
    }

    /** Collects the options. */
    public static final class Builder {

        private final OutboxStore store;
        private final DataSource dataSource;
        private Duration debounce = Duration.ofMillis(20);
        private Duration checkInterval = Duration.ofSeconds(30);
        private Duration checkTimeout = Duration.ofSeconds(5);

        private Builder(OutboxStore store, DataSource dataSource) {
            this.store = Objects.requireNonNull(store, "store");
            this.dataSource = UnmanagedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"));
        }

        /** The shortest time between two notifications; default 20 ms. The first goes out at once. Range: 1 ms to 1 hour. */
        public Builder debounce(Duration value) {
            this.debounce = Range.of("debounce", value, Duration.ofMillis(1), Duration.ofHours(1));
            return this;
        }

        /** How often to check that notifications arrive; default 30 s. Also how soon a lost connection is replaced. Range: 10 ms to
         * 1 hour. */
        public Builder checkInterval(Duration value) {
            this.checkInterval = Range.of("checkInterval", value, Duration.ofMillis(10), Duration.ofHours(1));
            return this;
        }

        /** How long a check may take to arrive; default 5 s. Range: 10 ms to 1 minute. */
        public Builder checkTimeout(Duration value) {
            this.checkTimeout = Range.of("checkTimeout", value, Duration.ofMillis(10), Duration.ofMinutes(1));
            return this;
        }

        public PostgresNotifications start() {
            return new PostgresNotifications(this);
        }
    }
}
