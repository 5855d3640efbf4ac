package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.spi.Health;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a consumer on a queue: one session after the other, each opened when the one before it was lost.
 *
 * <p>Either a session is open, or a thread is at work to open one, or the end was reported: there is no fourth state. Thread-safe.
 */
final class Consumption {

    private static final Logger LOG = LoggerFactory.getLogger(Consumption.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
    private static final int HEARTBEAT_SECONDS = 10;
    private static final long SHORT_LIFE = Duration.ofSeconds(5).toNanos();

    private final ReceiverOptions options;
    private final Subscription subscription;
    private final Consumer<TakenMessage> messages;
    private final Runnable onLoss;
    private final Consumer<ReceiverException> onFailure;
    private @Nullable ConsumerSession session;
    private long openedAt;
    private int quickLosses;
    private boolean isStopped;
    private String lastProblem = "it was not started";

    /**
     * For one receiver.
     *
     * @param onLoss run when a session was marked as forgotten, before there is another
     * @param onFailure is told why there will be no other
     */
    Consumption(
            ReceiverOptions options,
            Subscription subscription,
            Consumer<TakenMessage> messages,
            Runnable onLoss,
            Consumer<ReceiverException> onFailure) {
        this.options = options;
        this.subscription = subscription;
        this.messages = messages;
        this.onLoss = onLoss;
        this.onFailure = onFailure;
    }

    private String name() {
        return options.names().incoming();
    }

    /** @throws ReceiverException if there is no consuming from the queue */
    void start() {
        open();
    }

    private void open() {
        BrokerAccess.Opened opened = connect();
        try {
            declare(opened);
            ConsumerSession next = ConsumerSession.open(opened, this::lost);
            next.consume(name(), subscription.subscriber() + "-" + UUID.randomUUID(), options.prefetch(), messages);
            adopt(next);
            LOG.info(
                    "Receiver {} consumes from RabbitMQ at {}:{}",
                    name(),
                    opened.connection().getAddress(),
                    opened.connection().getPort());
        } catch (IOException | ShutdownSignalException refused) {
            opened.connection().abort(0);
            throw new ReceiverException(
                    "RabbitMQ would not let receiver %s consume: %s; check that the queue exists and that user '%s' may read it"
                            .formatted(
                                    name(),
                                    ConnectFailure.rootOf(refused),
                                    options.access().user()),
                    refused);
        } catch (RuntimeException | Error refused) {
            opened.connection().abort(0);
            throw refused;
        }
    }

    private BrokerAccess.Opened connect() {
        try {
            return options.access().open(name(), Consumption::prepare);
        } catch (IOException | TimeoutException | RuntimeException failed) {
            throw new ReceiverException(ConnectFailure.describe(options.access(), failed), failed);
        }
    }

    /** A broker that has died without a word is noticed in time; whoever wants another heartbeat has set one that is shorter or none. */
    private static void prepare(ConnectionFactory factory) {
        if (factory.getRequestedHeartbeat() == ConnectionFactory.DEFAULT_HEARTBEAT) {
            factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        }
    }

    private void declare(BrokerAccess.Opened opened) throws IOException {
        try (TopologySteps steps = new TopologySteps(opened.connection())) {
            if (options.declaresTopology()) {
                options.topology().declare(steps);
            } else {
                options.topology().verify(steps);
            }
            options.bindings().declare(steps, name(), subscription);
        }
    }

    /** From here on its loss starts a recovery; one that was lost before has failed to open. */
    private void adopt(ConsumerSession opened) throws IOException {
        synchronized (this) {
            if (!isStopped && opened.isOpen()) {
                session = opened;
                openedAt = System.nanoTime();
                return;
            }
        }
        forget(opened);
        opened.close();
        throw new IOException("the consumer ended as soon as it had begun: " + lastProblem());
    }

    /** Comes on a thread of the connection, which must not wait for another connection. */
    private void lost(ConsumerSession over, String reason) {
        forget(over);
        int quickly;
        synchronized (this) {
            lastProblem = reason;
            if (session != over) {
                return;
            }
            session = null;
            if (isStopped) {
                return;
            }
            quickLosses = System.nanoTime() - openedAt < SHORT_LIFE ? quickLosses + 1 : 0;
            quickly = quickLosses;
        }
        throttle.warn("lost", "Receiver {} has lost its consumer and tries to get it back: {}", name(), reason);
        Thread recovery = new Thread(() -> recover(over, reason, quickly), "postrider-" + name() + "-recovery");
        recovery.setDaemon(true);
        try {
            recovery.start();
        } catch (OutOfMemoryError noThread) {
            onFailure.accept(
                    new ReceiverException("Receiver " + name() + " has no thread to get its consumer back", noThread));
        }
    }

    private void forget(ConsumerSession over) {
        over.markForgotten();
        onLoss.run();
    }

    /** Whatever happens, ends with a consumer, with the end reported, or because it was stopped. */
    private void recover(ConsumerSession over, String reason, int failuresBefore) {
        try {
            over.close();
            if (!reopen(failuresBefore)) {
                onFailure.accept(notBack(reason));
            }
        } catch (RuntimeException | Error unexpected) {
            onFailure.accept(new ReceiverException(
                    "Receiver %s has lost its consumer (%s) and cannot get it back".formatted(name(), reason),
                    unexpected));
        }
    }

    /** Says whether there is a consumer again, or none is wanted. A consumer that is lost again and again is opened ever less often. */
    private boolean reopen(int failuresBefore) {
        long begin = options.nanoTime().getAsLong();
        for (int failures = failuresBefore; isWorthTrying(begin); failures++) {
            try {
                if (failures > 0 && !pause(PAUSES.before(failures))) {
                    return true;
                }
                open();
                return true;
            } catch (RuntimeException failed) {
                problem(String.valueOf(failed.getMessage()));
                // An outage of hours is two lines in the log; the health check tells what the problem is now.
                LOG.debug("Receiver {} is not back yet: {}", name(), failed.getMessage());
            }
        }
        return false;
    }

    private boolean isWorthTrying(long begin) {
        long spent = options.nanoTime().getAsLong() - begin;
        return options.recoveryTimeout().map(limit -> spent < limit.toNanos()).orElse(true);
    }

    private ReceiverException notBack(String reason) {
        return new ReceiverException(
                "Receiver %s has lost its consumer (%s) and did not get it back within %s: %s; start a new one when the broker is well"
                        .formatted(
                                name(),
                                reason,
                                Readable.time(options.recoveryTimeout().orElseThrow()),
                                lastProblem()));
    }

    /** Waits, unless it is stopped; says whether to go on. */
    private synchronized boolean pause(Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        try {
            for (long left = pause.toMillis(); left > 0 && !isStopped; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !isStopped;
    }

    private synchronized void problem(String text) {
        lastProblem = text;
    }

    private synchronized String lastProblem() {
        return lastProblem;
    }

    synchronized Health health() {
        return session != null && session.isOpen()
                ? Health.UP
                : Health.down("Receiver " + name() + " does not consume: " + lastProblem);
    }

    /** No further message is taken; what was taken can be settled. */
    void stop() {
        ConsumerSession current;
        synchronized (this) {
            if (isStopped) {
                return;
            }
            isStopped = true;
            notifyAll();
            current = session;
        }
        if (current != null) {
            current.cancelConsumer();
        }
    }

    /** Ends the consumption; the broker requeues what is not settled. */
    void close() {
        ConsumerSession current;
        synchronized (this) {
            current = session;
            session = null;
        }
        if (current != null) {
            forget(current);
            current.close();
        }
    }
}
