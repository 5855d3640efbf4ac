package dev.postrider.testkit;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A destination that remembers everything and answers as a test wants.
 *
 * <p>By default every message is delivered at once. {@link #answer} scripts other results, {@link #hold} delays all answers
 * until {@link #release}. Thread-safe; sends complete on the thread that releases them, or at once.
 *
 * <pre>{@code
 * RecordingDestination broker = new RecordingDestination("broker");
 * broker.answerNext(DeliveryResult.retry("busy"));
 * …
 * DeliveryAssert.assertThatDeliveries(broker.delivered()).hasNoDuplicates();
 * }</pre>
 */
public final class RecordingDestination implements Destination {

    private final String name;
    private final List<Sent> sent = new ArrayList<>();
    private final Deque<DeliveryResult> nextAnswers = new ArrayDeque<>();
    private final List<Sent> held = new ArrayList<>();
    private Function<OutboxMessage, DeliveryResult> script = message -> DeliveryResult.DELIVERED;
    private int delivered;
    private boolean isHolding;
    private Health health = Health.UP;

    public RecordingDestination(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** Decides about every message from now on, unless {@link #answerNext} has something for it. */
    public synchronized void answer(Function<OutboxMessage, DeliveryResult> results) {
        script = Objects.requireNonNull(results, "results");
    }

    /** Decides about the next sends, in order, before {@link #answer} is asked. */
    public synchronized void answerNext(DeliveryResult... results) {
        nextAnswers.addAll(List.of(results));
    }

    /** Leaves sends unanswered from now on. */
    public synchronized void hold() {
        isHolding = true;
    }

    /** Answers all sends that wait, in order, and lets later ones through. */
    public void release() {
        List<Sent> waiting;
        synchronized (this) {
            isHolding = false;
            waiting = List.copyOf(held);
            held.clear();
        }
        waiting.forEach(this::complete);
    }

    /** What {@link #healthCheck()} answers; at first that it is up. */
    public synchronized void setHealth(Health value) {
        health = value;
    }

    /** Every message that was sent, in order of sending, whatever became of it. */
    public synchronized List<OutboxMessage> sent() {
        return sent.stream().map(each -> each.message).toList();
    }

    /** The messages that were accepted, in order of sending. */
    public synchronized List<OutboxMessage> delivered() {
        return sent.stream()
                .filter(each -> each.result instanceof DeliveryResult.Delivered)
                .map(each -> each.message)
                .toList();
    }

    /** How many sends wait for {@link #release}. */
    public synchronized int waiting() {
        return held.size();
    }

    /** Returns when this many messages were accepted. */
    public void awaitDelivered(int count, Duration timeout) {
        await(() -> delivered >= count, () -> delivered + " of " + count + " delivered", timeout);
    }

    /** Returns when this many messages were sent. */
    public void awaitSent(int count, Duration timeout) {
        await(() -> sent.size() >= count, () -> sent.size() + " of " + count + " sent", timeout);
    }

    private synchronized void await(BooleanSupplier condition, Supplier<String> progress, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                long remaining = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (remaining <= 0) {
                    throw new AssertionError(progress.get() + " after " + timeout);
                }
                wait(remaining);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting: " + progress.get(), interrupted);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        Sent send = new Sent(message);
        boolean answersNow;
        synchronized (this) {
            sent.add(send);
            answersNow = !isHolding;
            if (isHolding) {
                held.add(send);
            }
            notifyAll();
        }
        if (answersNow) {
            complete(send);
        }
        return send.future;
    }

    private void complete(Sent send) {
        DeliveryResult result;
        synchronized (this) {
            result = nextAnswers.isEmpty() ? script.apply(send.message) : nextAnswers.poll();
            send.result = result;
            delivered += result instanceof DeliveryResult.Delivered ? 1 : 0;
            notifyAll();
        }
        send.future.complete(result);
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofSeconds(1);
    }

    @Override
    public synchronized Health healthCheck() {
        return health;
    }

    /** One send and what became of it. */
    private static final class Sent {

        private final OutboxMessage message;
        private final CompletableFuture<DeliveryResult> future = new CompletableFuture<>();
        private @Nullable DeliveryResult result;

        private Sent(OutboxMessage message) {
            this.message = message;
        }
    }
}
