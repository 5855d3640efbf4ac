package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.SpanOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends straight to a destination and waits for its acknowledgements.
 *
 * <p>A list is sent in its order without waiting for each acknowledgement, but an event waits for that of the one before it of its key.
 * After a failure no further one is begun, and those that are on their way are waited for.
 */
final class DestinationSender implements EventSender {

    /** What a busy machine may add to the destination's own time-out. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    /** Enough to make the way to the broker and back count little. */
    private static final int MOST_AT_ONCE = 256;

    private final Destination destination;
    private final TraceContext trace;

    DestinationSender(Destination destination, TraceContext trace) {
        this.destination = destination;
        this.trace = trace;
    }

    @Override
    public void send(List<OutboxMessage> messages) {
        List<SentEvent> begun = new ArrayList<>();
        Map<String, SentEvent> lastOfKey = new HashMap<>();
        for (OutboxMessage message : messages) {
            if (!isTurnOf(message, begun, lastOfKey)) {
                break;
            }
            SentEvent sent = begin(message);
            begun.add(sent);
            message.key().ifPresent(key -> lastOfKey.put(key, sent));
        }
        requireAll(begun);
    }

    /** Waits for room and for the one before of the same key; says whether what was waited for has succeeded. */
    private boolean isTurnOf(OutboxMessage message, List<SentEvent> begun, Map<String, SentEvent> lastOfKey) {
        int most = Math.min(destination.maxInFlight(), MOST_AT_ONCE);
        Optional<SentEvent> inTheWay =
                begun.size() < most ? Optional.empty() : Optional.of(begun.get(begun.size() - most));
        Optional<SentEvent> before = message.key().map(lastOfKey::get);
        return inTheWay.flatMap(this::problem).isEmpty()
                && before.flatMap(this::problem).isEmpty();
    }

    private SentEvent begin(OutboxMessage message) {
        long deadline = System.nanoTime() + limit().toNanos();
        TraceSpan span = trace.publishing(destination, message);
        CompletableFuture<DeliveryResult> sending = send(message, span);
        var unused = sending.whenComplete(
                (result, failure) -> SpanOutcome.end(span, failure == null ? result : failed(failure)));
        return new SentEvent(message, span, sending, deadline);
    }

    private static DeliveryResult failed(Throwable failure) {
        return DeliveryResult.retry(failure.toString(), failure);
    }

    private CompletableFuture<DeliveryResult> send(OutboxMessage message, TraceSpan span) {
        TraceContext.Scope scope = span.makeCurrent();
        try {
            return destination.send(message).toCompletableFuture();
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        } finally {
            scope.close();
        }
    }

    private Duration limit() {
        return destination.deliveryTimeout().plus(SLACK);
    }

    /** Throws for the first in the list that was not acknowledged, when the others have ended as well. */
    private void requireAll(List<SentEvent> begun) {
        List<PublishFailedException> problems =
                begun.stream().flatMap(sent -> problem(sent).stream()).toList();
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
    }

    /** Waits for the end; nothing if it was acknowledged. */
    private Optional<PublishFailedException> problem(SentEvent sent) {
        try {
            DeliveryResult result = sent.end.get(Math.max(0, sent.deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return result instanceof DeliveryResult.Failed failed
                    ? Optional.of(sent.failed(
                            destination.name() + " said: " + failed.reason(),
                            !(failed instanceof DeliveryResult.Reject),
                            failed.cause().orElse(null)))
                    : Optional.empty();
        } catch (ExecutionException failed) {
            return Optional.of(
                    sent.failed(destination.name() + " said: " + failed.getCause(), true, failed.getCause()));
        } catch (TimeoutException late) {
            SpanOutcome.fail(sent.span, "overdue", "The destination has not reported an outcome within " + limit());
            return Optional.of(sent.failed(
                    destination.name() + " has not answered within " + limit() + "; it may still arrive", true, late));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of(sent.failed(
                    "interrupted while waiting for " + destination.name() + "; it may still arrive",
                    true,
                    interrupted));
        }
    }

    private record SentEvent(
            OutboxMessage message, TraceSpan span, CompletableFuture<DeliveryResult> end, long deadline) {

        PublishFailedException failed(String problem, boolean isWorthRetrying, @Nullable Throwable cause) {
            return new PublishFailedException(message.id(), problem, isWorthRetrying, cause);
        }
    }
}
