package dev.postrider.spring;

import dev.postrider.bus.Subscriber;
import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Keeps one subscriber receiving: makes a new one when the broker refused, or the receiver gave up. Thread-safe. */
final class SupervisedSubscriber {

    private static final Logger LOG = LoggerFactory.getLogger(SupervisedSubscriber.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final String name;
    private final Supplier<Subscriber> factory;
    private final Executor supervisor;
    private Optional<Subscriber> current = Optional.empty();
    private int failures;
    private boolean isClosed;

    SupervisedSubscriber(String name, Supplier<Subscriber> factory, Executor supervisor) {
        this.name = name;
        this.factory = factory;
        this.supervisor = supervisor;
    }

    String name() {
        return name;
    }

    synchronized boolean isReceiving() {
        return current.isPresent() && current.get().isRunning();
    }

    /** A broker that is away is waited for; any other failure is a mistake in the application. */
    synchronized void start() {
        if (isClosed) {
            return;
        }
        Subscriber subscriber = factory.get();
        current = Optional.of(subscriber);
        try {
            subscriber.start();
            failures = 0;
            throttle.worked(
                    "restart", (level, note) -> LOG.atLevel(level).log("Subscriber {} receives again {}", name, note));
            subscriber.termination().whenComplete((end, failure) -> {
                if (failure != null) {
                    restartLater(subscriber, failure);
                }
            });
        } catch (ReceiverException refused) {
            restartLater(subscriber, refused);
        }
    }

    private synchronized void restartLater(Subscriber failed, Throwable failure) {
        if (isClosed || current.isEmpty() || current.get() != failed) {
            return;
        }
        Duration pause = BACKOFF.delay(++failures);
        throttle.failed(
                Level.ERROR,
                "restart",
                (level, note) -> LOG.atLevel(level)
                        .setCause(LogThrottle.trace(level, failure))
                        .log(
                                "Subscriber {} does not receive; trying again in {}: {}{}",
                                name,
                                Readable.time(pause),
                                failure,
                                note));
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, supervisor)
                .execute(() -> restart(failed));
    }

    private synchronized void restart(Subscriber failed) {
        try {
            failed.close();
            start();
        } catch (RuntimeException | Error failure) {
            restartLater(failed, failure);
        }
    }

    /** Takes no more events and waits for handlers that run. */
    synchronized void close() {
        isClosed = true;
        current.ifPresent(Subscriber::close);
    }
}
