package dev.postrider.spi;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A broker's side of a subscription: hands over messages one by one, and takes back what became of each.
 *
 * <p>The life of a receiver: {@link #start}, {@link #stop}, {@link #close}, each once. What arrives that is no message at all is
 * parked by the receiver itself. A receiver that loses its connection recovers by itself, or ends {@link #termination} with the
 * reason: it never just falls silent. Thread-safe.
 */
public interface Receiver extends AutoCloseable {

    /** What it is called in logs and errors, such as the queue or the consumer group. */
    String name();

    /** What kind of broker it is, as traces call it, see {@link Destination#system()}. */
    default String system() {
        return "other";
    }

    /**
     * How many messages may be handed over and not settled at any time, at least 1; no further one is handed over before.
     */
    int prefetch();

    /**
     * What remains of the order when a message is retried. {@link Ordering#PER_KEY}: the next message of a key is handed over only
     * when the one before it was acknowledged or parked. {@link Ordering#NONE}: a retried message is overtaken. Either way,
     * messages of a key are handed over in the order in which the broker has them, each when the one before it was settled.
     */
    Ordering ordering();

    /**
     * Begins to hand over messages, after setting up at the broker what it was told to.
     *
     * @param subscription who asks, and for which types
     * @param deliveries called from any thread, for a message only when those of its key before it are settled; must not block. What it
     *     throws counts as {@link Delivery#retryLater}
     * @throws IllegalStateException if it was started before
     * @throws ReceiverException if the broker refuses, with what to do about it
     */
    void start(Subscription subscription, Consumer<Delivery> deliveries);

    /**
     * Ends the handing over: none begins after this has returned. What was handed over can still be settled. Not to be called from
     * within a hand-over.
     */
    void stop();

    /**
     * Stops if need be, and lets go of all resources. Messages not settled by now go back to the broker and arrive again;
     * settling them has no effect any more.
     */
    @Override
    void close();

    /**
     * Ends when the receiver does: normally after {@link #close} or when the broker was closed on purpose, otherwise exceptionally
     * with a {@link ReceiverException} that says why nothing arrives any more. The caller then starts a new one.
     */
    CompletionStage<Void> termination();

    /** Whether the broker can be reached now. May block up to a few seconds. */
    default Health healthCheck() {
        return Health.UNKNOWN;
    }
}
