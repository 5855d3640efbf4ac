package dev.postrider.service;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import dev.postrider.relay.UnavailablePlace;
import dev.postrider.service.database.DatabaseException;
import dev.postrider.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Brings one outbox to work and keeps trying until its database can be reached; from then on the relay helps itself.
 *
 * <p>What time cannot heal ends the service: a refused login, missing or wrong tables, settings that do not fit together. One
 * thread tries; any thread may ask how it stands.
 */
final class OutboxRunner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRunner.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final OutboxConfig config;
    private final OpenOutbox.Shared shared;
    private final Consumer<PostriderException> onMistake;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile String notReady = "has not been reached yet";
    private volatile Optional<OpenOutbox> opened = Optional.empty();

    /** Whoever is told of a mistake ends the service. */
    OutboxRunner(OutboxConfig config, OpenOutbox.Shared shared, Consumer<PostriderException> onMistake) {
        this.config = config;
        this.shared = shared;
        this.onMistake = onMistake;
        this.thread = new Thread(this::openAndStart, "postrider-open-" + config.name());
        thread.setDaemon(true);
    }

    String name() {
        return config.name();
    }

    void start() {
        thread.start();
    }

    private void openAndStart() {
        Duration pause = FIRST_PAUSE;
        while (!isStopped(Duration.ZERO)) {
            if (tryOnce() || isStopped(pause)) {
                return;
            }
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Whether there is nothing more to try. */
    private boolean tryOnce() {
        try {
            start(OpenOutbox.open(config, shared));
            throttle.flush();
            LOG.atInfo().addKeyValue("outbox", config.name()).log("Relay started");
            return true;
        } catch (PostriderException failure) {
            notReady = OutboxProblem.CANNOT_BE_USED;
            return isMistake(failure) ? giveUp(failure) : tellAndRetry(failure);
        } catch (RuntimeException unexpected) {
            throttle.failed(
                    Level.ERROR,
                    unexpected.getClass(),
                    (level, note) -> LOG.atLevel(level)
                            .addKeyValue("outbox", config.name())
                            .setCause(unexpected)
                            .log("Could not start{}", note));
            notReady = OutboxProblem.CANNOT_BE_USED;
            return false;
        }
    }

    /** Not while it is being closed: nobody would close what starts now. */
    private synchronized void start(OpenOutbox outbox) {
        if (stop.getCount() == 0) {
            outbox.close();
            return;
        }
        try {
            outbox.start();
            opened = Optional.of(outbox);
        } catch (RuntimeException failure) {
            outbox.close();
            throw failure;
        }
    }

    private static boolean isMistake(PostriderException failure) {
        return failure instanceof DatabaseException database
                ? database.isRefusal()
                : !(failure instanceof StoreException);
    }

    private boolean giveUp(PostriderException mistake) {
        notReady = OutboxProblem.CANNOT_BE_USED;
        onMistake.accept(mistake);
        return true;
    }

    private boolean tellAndRetry(PostriderException failure) {
        throttle.failed(
                Level.WARN,
                "open",
                (level, note) -> LOG.atLevel(level)
                        .addKeyValue("outbox", config.name())
                        .addKeyValue("reason", FileWords.of(SafeText.of(failure.getMessage())))
                        .log("Cannot open the outbox yet; retrying{}", note));
        return false;
    }

    private boolean isStopped(Duration wait) {
        try {
            return stop.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Places that cannot take messages, though their destinations can: those wait, and everything else flows. */
    List<UnavailablePlace> unavailablePlaces() {
        return opened.map(outbox -> outbox.relay().unavailablePlaces()).orElse(List.of());
    }

    /** Why this outbox is not being delivered as it should; empty when all is well. Asks the database. */
    Optional<String> problem() {
        if (stop.getCount() == 0) {
            return Optional.of("is stopping");
        }
        Optional<OpenOutbox> outbox = opened;
        if (outbox.isEmpty()) {
            return Optional.of(notReady);
        }
        return new OutboxProblem(outbox.get().store(), config.maxOldestAge())
                .find(Optional.of(outbox.get().relay()));
    }

    /** Stops trying, or stops the relay within its close time-out. */
    @Override
    public void close() {
        stop.countDown();
        Optional<OpenOutbox> outbox;
        synchronized (this) {
            outbox = opened;
        }
        outbox.ifPresent(OpenOutbox::close);
    }
}
