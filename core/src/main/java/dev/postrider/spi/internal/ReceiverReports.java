package dev.postrider.spi.internal;

import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/** Tells a listener what one receiver does; what the listener throws stops nothing. Thread-safe. */
final class ReceiverReports {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(ReceiverReports.class));

    private final String receiver;
    private final ReceiverListener listener;

    /** @param receiver its name, see {@link Receiver#name} */
    ReceiverReports(String receiver, ReceiverListener listener) {
        this.receiver = Objects.requireNonNull(receiver, "receiver");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /** A message is handed over now; what is returned is to be given to {@link #handled} or {@link #failed}. */
    long received() {
        tell(() -> listener.received(receiver));
        return System.nanoTime();
    }

    void handled(long since) {
        tell(() -> listener.handled(receiver, elapsed(since)));
    }

    void failed(long since) {
        tell(() -> listener.failed(receiver, elapsed(since)));
    }

    void retried() {
        tell(() -> listener.retried(receiver));
    }

    void parked() {
        tell(() -> listener.parked(receiver));
    }

    private static Duration elapsed(long since) {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    private void tell(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException | Error failure) {
            // Also an Error, such as a class that is missing: a message would never be settled.
            LOG.warn(receiver, failure, "A listener of receiver {} failed", receiver);
        }
    }
}
