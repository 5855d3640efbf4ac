package dev.postrider.spi;

import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A broker, or anything else that takes messages.
 *
 * <p>The relay sends the next message of a key only after the previous one has ended, unless {@link #keyOrder()} promises more. It may
 * send messages of different keys at once and from several threads.
 */
public interface Destination extends AutoCloseable {

    /**
     * A destination made of plain blocking code: 16 threads, five seconds per message. For other bounds see
     * {@link BlockingDestination}.
     */
    static Destination blocking(String name, BlockingDestination.Sender sender) {
        return BlockingDestination.of(name, sender, 16, Duration.ofSeconds(5));
    }

    /**
     * The name under which it is paused, resumed and reported, and under which messages are held for it, such as
     * {@code kafka-main}; 1 to 200 characters.
     */
    String name();

    /** What kind of broker it is, as traces call it: {@code kafka}, {@code rabbitmq}, {@code nats}. Unless it is overridden, {@code other}. */
    default String system() {
        return "other";
    }

    /**
     * Sends one message. The stage completes with {@link DeliveryResult.Delivered} only on a durable acknowledgement, and
     * only when the outcome is final: after any other result the message must not arrive any more, except as the duplicate
     * of a later attempt. Completing exceptionally means {@link DeliveryResult.Retry}.
     *
     * <p>Must not block for long: a full buffer is answered by waiting for space at most briefly, then by completing later.
     */
    CompletionStage<DeliveryResult> send(OutboxMessage message);

    /**
     * The same, with what the relay knows about the message: when it was written, how many attempts have failed, and its run. A
     * destination whose broker can refuse a former owner of the lane uses the {@linkplain KeyRun#tenure() tenure} of the run to do so, and
     * one that keeps {@link KeyOrder#PIPELINED} refuses a run that is broken off. Unless it is overridden it is the same as
     * {@link #send(OutboxMessage)}. Relays call this one; a destination around another must hand it on, as {@link ForwardingDestination}
     * does.
     */
    default CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
        return send(message);
    }

    /** What it promises about the order of messages that are sent without waiting for each other. */
    default KeyOrder keyOrder() {
        return KeyOrder.ONE_BY_ONE;
    }

    /** The longest time in which {@link #send(OutboxMessage)} reports an outcome. The relay checks at start that its lease is longer. */
    Duration deliveryTimeout();

    /** How many sends may be outstanding at once, for all workers together; the relay's own limits apply as well. */
    default int maxInFlight() {
        return Integer.MAX_VALUE;
    }

    /**
     * Tells whether the destination can be reached now, without sending a message. May block up to a few seconds. The relay
     * asks only while there is an outage; operators' tools may ask at any time.
     *
     * <p>A destination that cannot tell is tried with one message after each back-off, and no attempt is counted for as long
     * as nothing gets through. One that can tell also gets rid of a message that makes the broker drop the connection: when
     * that message fails again right after the destination was found up, it counts as the message's own failure.
     */
    default Health healthCheck() {
        return Health.UNKNOWN;
    }

    /**
     * What can be looked at to tell whether the broker takes messages of these topics and keeps them safely: that they exist,
     * how often they are replicated. For operators' tools; the relay never asks.
     */
    default List<Check> checks(Collection<String> topics) {
        return List.of();
    }

    /** Waits for outstanding sends within a bound and lets go of all resources. */
    @Override
    default void close() {}
}
