package dev.postrider.destination.nats;

import dev.postrider.spi.DeliveryResult;
import io.nats.client.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One message on its way, from the call of {@code send} to its outcome.
 *
 * <p>While it waits, a time-out may end it; once it is claimed for publishing, only an answer or the end of its connection
 * does: a message whose end was reported must never go out afterwards. Thread-safe.
 */
final class Sending {

    private enum State {
        WAITING,
        CLAIMED,
        ENDED
    }

    private final Message wire;
    private final long deadline;
    private final Runnable onEnd;
    private final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile boolean wasReleased;

    Sending(Message wire, long deadline, Runnable onEnd) {
        this.wire = wire;
        this.deadline = deadline;
        this.onEnd = onEnd;
    }

    Message wire() {
        return wire;
    }

    String subject() {
        return wire.getSubject();
    }

    CompletionStage<DeliveryResult> result() {
        return result;
    }

    boolean isOverdue(long now) {
        return now - deadline >= 0;
    }

    boolean hasEnded() {
        return state.get() == State.ENDED;
    }

    /** Reserves it for publishing; false if it has ended in the meantime. */
    boolean claim() {
        return state.compareAndSet(State.WAITING, State.CLAIMED);
    }

    /** Nobody took it, and it may be published once more; returns whether that was so before. */
    boolean release() {
        boolean wasBefore = wasReleased;
        wasReleased = true;
        state.compareAndSet(State.CLAIMED, State.WAITING);
        return wasBefore;
    }

    /** Ends it unless it is claimed or has ended already. */
    void endIfWaiting(DeliveryResult outcome) {
        if (state.compareAndSet(State.WAITING, State.ENDED)) {
            complete(outcome);
        }
    }

    void end(DeliveryResult outcome) {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            complete(outcome);
        }
    }

    private void complete(DeliveryResult outcome) {
        // First: whoever learns the result may send again at once.
        onEnd.run();
        result.complete(outcome);
    }
}
