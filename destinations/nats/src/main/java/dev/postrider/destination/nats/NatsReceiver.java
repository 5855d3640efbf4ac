package dev.postrider.destination.nats;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.spi.internal.DeliveryQueue;
import dev.postrider.spi.internal.Timer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives from NATS JetStream through a durable pull consumer, which all receivers of its name share.
 *
 * <p>A message is acknowledged when it was handled. While handlers are at it the server is told to wait, so that only a dead consumer's
 * messages go to another. A failed message is returned and comes again after the back-off, so that later ones of its key overtake
 * it: {@link Ordering#NONE}. One that can never be handled, or was delivered too often, is published to the parking subject and
 * acknowledged only when a stream has it; what is no CloudEvent at all is parked at once.
 *
 * <p>A lost connection is opened again, for as long as it takes; {@link #healthCheck} tells why nothing arrives meanwhile. Refused
 * credentials and a deleted consumer end {@link #termination}. Thread-safe.
 *
 * <p>Threads: one pulls and hands over, one parks, one tells the server that handlers are at it.
 *
 * <pre>{@code
 * Receiver receiver = NatsReceiver.builder("billing", "ORDERS")
 *         .servers("nats://nats-1:4222", "nats://nats-2:4222")
 *         .createParkingStream(true)
 *         .build();
 * }</pre>
 */
public final class NatsReceiver implements Receiver {

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final NatsReceiverOptions options;
    private final Parking parking;
    private final ConsumerSettlement settlement;
    private final Timer heart;
    private final DeliveryQueue<PulledMessage> queue;
    private final ExecutorService parkers;
    private final CompletableFuture<Void> termination = new CompletableFuture<>();
    private volatile @Nullable PullLoop loop;
    private @Nullable Thread thread;
    private boolean isStarted;
    private boolean isClosed;

    NatsReceiver(NatsReceiverOptions options) {
        this.options = options;
        this.parking = new Parking(options);
        this.parkers = Executors.newSingleThreadExecutor(daemon("park"));
        this.settlement = new ConsumerSettlement(options, parking, parkers);
        this.heart = new Timer(daemon("heart").name());
        this.queue = new DeliveryQueue<>(name(), options.prefetch(), settlement, options.listener(), heart);
    }

    /**
     * Starts with what is needed.
     *
     * @param consumer the name of the durable consumer, such as {@code billing}: its receivers share the messages
     * @param stream the stream to receive from
     */
    public static NatsReceiverBuilder builder(String consumer, String stream) {
        return new NatsReceiverBuilder(consumer, stream);
    }

    private DaemonThreads daemon(String duty) {
        return new DaemonThreads("postrider-nats-" + options.consumer() + "-" + duty);
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public String system() {
        return "nats";
    }

    @Override
    public int prefetch() {
        return options.prefetch();
    }

    @Override
    public Ordering ordering() {
        return Ordering.NONE;
    }

    /** Connects, makes what is missing if it may, and begins to pull. Events of other types are passed over. */
    @Override
    public synchronized void start(Subscription subscription, Consumer<Delivery> deliveries) {
        if (isStarted || isClosed) {
            throw new IllegalStateException("Receiver " + name() + " was started or closed before; make a new one");
        }
        Objects.requireNonNull(subscription, "subscription");
        queue.start(Objects.requireNonNull(deliveries, "deliveries"));
        isStarted = true;
        try {
            begin(subscription, PullLoop.connect(options));
        } catch (IOException unreachable) {
            Failures failures = new Failures(options.access());
            throw giveUp(new ReceiverException(
                    "Receiver " + name() + " cannot start: " + failures.ofConnecting(unreachable),
                    failures.causeForPeople(unreachable)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw giveUp(new ReceiverException("Receiver " + name() + " was interrupted at its start", interrupted));
        }
    }

    private void begin(Subscription subscription, Connection connection) throws InterruptedException {
        try {
            Duration ackWait = new ConsumerSetup(options, connection.jetStreamManagement()).prepare();
            heart.every(ackWait.dividedBy(3), () -> queue.unsettled().forEach(settlement::keepAlive));
        } catch (IOException | JetStreamApiException refused) {
            connection.close();
            throw giveUp(new ReceiverException(
                    "Receiver " + name() + " cannot start: JetStream refuses or does not answer: "
                            + refused.getMessage(),
                    refused));
        } catch (ReceiverException refused) {
            connection.close();
            throw giveUp(refused);
        }
        PullLoop pull = new PullLoop(options, queue, settlement, subscription, connection);
        var unused = pull.end().whenComplete((ended, failure) -> ended(failure));
        loop = pull;
        thread = daemon("pull").newThread(pull);
        thread.start();
    }

    private ReceiverException giveUp(ReceiverException reason) {
        queue.close();
        parkers.shutdownNow();
        termination.completeExceptionally(reason);
        return reason;
    }

    private void ended(@Nullable Throwable failure) {
        if (failure == null) {
            termination.complete(null);
        } else {
            termination.completeExceptionally(new ReceiverException(
                    "Receiver " + name() + " has ended and receives nothing any more: " + failure.getMessage(),
                    failure));
        }
    }

    @Override
    public void stop() {
        queue.stop();
    }

    /** Waits up to the close time-out for messages that are on their way to the parking subject. */
    @Override
    public void close() {
        stop();
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            try {
                end();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            queue.close();
            termination.complete(null);
        }
    }

    private void end() throws InterruptedException {
        parkers.shutdown();
        parkers.awaitTermination(options.closeTimeout().toNanos(), TimeUnit.NANOSECONDS);
        PullLoop pull = loop;
        if (pull != null && thread != null) {
            pull.close();
            thread.join(
                    options.closeTimeout().plus(PROBE_PATIENCE.multipliedBy(2)).toMillis());
        }
    }

    @Override
    public CompletionStage<Void> termination() {
        return termination.minimalCompletionStage();
    }

    /** Asks the server for a sign of life; also down while messages cannot be parked. */
    @Override
    public Health healthCheck() {
        PullLoop pull = loop;
        if (termination.isDone() || pull == null) {
            return Health.down("Receiver " + name() + " is not running");
        }
        String problem = pull.problem();
        if (problem != null) {
            return Health.down(problem);
        }
        return parking.problem().map(Health::down).orElseGet(this::probe);
    }

    private Health probe() {
        try {
            settlement.connection().orElseThrow().flush(PROBE_PATIENCE);
            return Health.UP;
        } catch (TimeoutException | RuntimeException silent) {
            return Health.down("NATS does not answer: " + silent.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Health.down("Interrupted");
        }
    }
}
