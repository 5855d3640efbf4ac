package dev.postrider.store.postgres;

import dev.postrider.spi.WakeSignal;
import dev.postrider.store.jdbc.LentConnection;
import dev.postrider.store.postgres.PostgresNotifications.State;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears notifications on a connection of its own and fires the wake signal.
 *
 * <p>Every check interval it sends a notification to itself. If that does not arrive in time, it says so once, gives the
 * connection back, and tries again an interval later.
 */
final class NotificationListener implements AutoCloseable {

    static final String WAKE = "wake";

    private static final String CHECK = "check";
    private static final Logger LOG = LoggerFactory.getLogger(NotificationListener.class);

    /** How long closing may have to wait for a read. */
    private static final int READ_MILLIS = 100;

    private final NotificationChannel channel;
    private final WakeSignal signal;
    private final Duration checkInterval;
    private final Duration checkTimeout;
    private final Thread thread = new Thread(this::run, "postrider-listen");
    private volatile State state = State.STARTING;
    private volatile boolean closed;
    private boolean checkArrived;

    NotificationListener(
            NotificationChannel channel, WakeSignal signal, Duration checkInterval, Duration checkTimeout) {
        this.channel = channel;
        this.signal = signal;
        this.checkInterval = checkInterval;
        this.checkTimeout = checkTimeout;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    State state() {
        return state;
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        try {
            while (!closed) {
                listen();
                TimeUnit.NANOSECONDS.sleep(checkInterval.toNanos());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until the connection fails or a check does not arrive. */
    private void listen() {
        try (LentConnection connection = channel.listen()) {
            PGConnection notifications = connection.get().unwrap(PGConnection.class);
            while (!closed && checkArrives(notifications)) {
                setState(State.ARRIVING, "Notifications arrive");
                hear(notifications, checkInterval);
            }
            if (!closed) {
                setState(
                        State.NOT_ARRIVING,
                        "Notifications do not arrive, perhaps because of a pooler in transaction mode");
            }
        } catch (SQLException | RuntimeException failed) {
            setState(State.NOT_ARRIVING, "Cannot listen for notifications (" + failed.getMessage() + ")");
        }
    }

    private boolean checkArrives(PGConnection notifications) throws SQLException {
        checkArrived = false;
        channel.send(CHECK);
        long end = System.nanoTime() + checkTimeout.toNanos();
        while (!closed && !checkArrived && System.nanoTime() < end) {
            hearOnce(notifications);
        }
        return checkArrived;
    }

    private void hear(PGConnection notifications, Duration time) throws SQLException {
        long end = System.nanoTime() + time.toNanos();
        while (!closed && System.nanoTime() < end) {
            hearOnce(notifications);
        }
    }

    private void hearOnce(PGConnection notifications) throws SQLException {
        PGNotification[] heard = notifications.getNotifications(READ_MILLIS);
        boolean wake = false;
        for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
            String text = notification.getParameter();
            boolean own = text.startsWith(channel.instance());
            checkArrived |= own && text.endsWith(CHECK);
            wake |= !own && text.endsWith(WAKE);
        }
        if (wake) {
            signal.fire();
        }
    }

    private void setState(State reached, String message) {
        if (state != reached && reached == State.NOT_ARRIVING) {
            LOG.warn("{}; new messages of other processes are found by polling", message);
        } else if (state == State.NOT_ARRIVING && reached == State.ARRIVING) {
            LOG.info("{} again", message);
        }
        state = reached;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
