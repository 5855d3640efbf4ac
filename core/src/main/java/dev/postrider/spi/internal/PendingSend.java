package dev.postrider.spi.internal;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.TraceSpan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One message on its way, from the call of {@code send} to its outcome.
 *
 * <p>While it waits, a timeout may end it. Once it is claimed for publishing, only an answer or the end of its connection does: a message
 * whose end was reported must never go out afterwards. Thread-safe.
 *
 * @param <W> what goes over the wire
 */
public final class PendingSend<W> {

    private enum State {
        WAITING,
        CLAIMED,
        ENDED
    }

    private final W wire;
    private final RunPosition position;
    private final TraceSpan span;
    private final long deadline;
    private final Consumer<PendingSend<W>> onEnd;
    private final CompletableFuture<DeliveryResult> result = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final AtomicInteger claims = new AtomicInteger();

    /** @param deadline by {@link System#nanoTime} */
    public PendingSend(W wire, RunPosition position, TraceSpan span, long deadline, Consumer<PendingSend<W>> onEnd) {
        this.wire = wire;
        this.position = position;
        this.span = span;
        this.deadline = deadline;
        this.onEnd = onEnd;
    }

    public W wire() {
        return wire;
    }

    /** Its place in its run. */
    public RunPosition position() {
        return position;
    }

    /** The span of the attempt, current while it is published. */
    public TraceSpan span() {
        return span;
    }

    public CompletionStage<DeliveryResult> result() {
        return result;
    }

    boolean isOverdue(long now) {
        return now - deadline >= 0;
    }

    public boolean hasEnded() {
        return state.get() == State.ENDED;
    }

    boolean isClaimed() {
        return state.get() == State.CLAIMED;
    }

    /** Reserves it for publishing; false if it has ended in the meantime. */
    public boolean claim() {
        claims.incrementAndGet();
        return state.compareAndSet(State.WAITING, State.CLAIMED);
    }

    /** How often it was to be published. */
    public int claims() {
        return claims.get();
    }

    /** The broker does not have it and will not get it: it may be published once more. */
    public void release() {
        state.compareAndSet(State.CLAIMED, State.WAITING);
    }

    /** Ends it if an earlier one of its run has failed, and says so: it must not go out. */
    public boolean endIfBehindFailed() {
        if (position.isBehindFailed()) {
            end(RunPosition.BROKEN_OFF);
            return true;
        }
        return false;
    }

    /** Lets nothing of its run go out behind it: it will be published later than its turn, or again. */
    public void breakRunBehind() {
        position.breakBehind();
    }

    /** Ends it unless it is claimed or has ended already. */
    public void endIfWaiting(DeliveryResult outcome) {
        if (state.compareAndSet(State.WAITING, State.ENDED)) {
            complete(outcome);
        }
    }

    public void end(DeliveryResult outcome) {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            complete(outcome);
        }
    }

    private void complete(DeliveryResult outcome) {
        DeliveryResult end = position.end(outcome);
        // First: whoever learns the result may send again at once.
        onEnd.accept(this);
        result.complete(end);
    }
}
