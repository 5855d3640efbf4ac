package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.DeliveryResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One message on its way, from the call of {@code send} to its outcome.
 *
 * <p>While it waits, a time-out may end it; once it is claimed for publishing, only what happens to its channel does: a
 * message whose end was reported must never go out afterwards. Thread-safe.
 */
final class Sending {

    private enum State {
        WAITING,
        CLAIMED,
        ENDED
    }

    private final WireMessage wire;
    private final long deadline;
    private final Consumer<Sending> onEnd;
    private final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile boolean isReturned;

    Sending(WireMessage wire, long deadline, Consumer<Sending> onEnd) {
        this.wire = wire;
        this.deadline = deadline;
        this.onEnd = onEnd;
    }

    WireMessage wire() {
        return wire;
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

    /** Its channel is gone and it may be published once more. */
    void release() {
        isReturned = false;
        state.compareAndSet(State.CLAIMED, State.WAITING);
    }

    /** The broker found no queue for it; its confirm is still to come. */
    void markReturned() {
        isReturned = true;
    }

    boolean isReturned() {
        return isReturned;
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
        onEnd.accept(this);
        result.complete(outcome);
    }
}
