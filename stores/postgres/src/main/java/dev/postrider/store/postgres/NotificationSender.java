package dev.postrider.store.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells other processes of new messages: the first time at once, then at most once per debounce time. */
final class NotificationSender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationSender.class);

    private final NotificationChannel channel;
    private final Duration debounce;
    private final Thread thread = new Thread(this::run, "postrider-notify");
    private final Semaphore wanted = new Semaphore(0);
    private final AtomicLong sent = new AtomicLong();

    NotificationSender(NotificationChannel channel, Duration debounce) {
        this.channel = channel;
        this.debounce = debounce;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns at once. */
    void wake() {
        if (wanted.availablePermits() == 0) {
            wanted.release();
        }
    }

    long sent() {
        return sent.get();
    }

    private void run() {
        try {
            while (true) {
                wanted.acquire();
                wanted.drainPermits();
                send();
                TimeUnit.NANOSECONDS.sleep(debounce.toNanos());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void send() {
        try {
            sent.incrementAndGet();
            channel.send(NotificationListener.WAKE);
        } catch (SQLException | RuntimeException failed) {
            LOG.debug("Could not notify other relays; they will find the messages by polling", failed);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
