package dev.postrider.relay;

import dev.postrider.relay.Places.Wait;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.FailureClassifier;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out how a send ended and tells the destination's gate at once, on whatever thread ended it: a worker that hangs must
 * not keep the news, nor its room at the destination, from the others. Thread-safe.
 */
final class OutcomeReporter {

    private final RelayContext context;
    private final FailureClassifier classifier;

    OutcomeReporter(RelayContext context) {
        this.context = context;
        this.classifier = context.options().failureClassifier();
    }

    /** Call exactly once for each send. */
    Outcome report(TrackedMessage entry, CompletableFuture<DeliveryResult> ended) {
        Duration took = context.since(entry.sentAt);
        DeliveryResult result = classified(entry, resultOf(ended));
        DestinationGate gate = entry.gate.shared;
        if (result instanceof DeliveryResult.Abandoned abandoned) {
            gate.places().endedOtherwise(entry);
            gate.toldNothing();
            return new Outcome(entry, result, Fate.UNSENT, new Wait(Duration.ZERO, abandoned.reason()), took);
        }
        if (result instanceof DeliveryResult.Unavailable unavailable) {
            Wait wait = gate.places().failed(entry, unavailable);
            gate.toldNothing();
            return new Outcome(entry, result, Fate.STEPS_BACK, wait, took);
        }
        Fate fate = tellGate(entry, result);
        String reason = result instanceof Failed failure ? failure.reason() : "";
        return new Outcome(entry, result, fate, new Wait(gate.stepBack(), reason), took);
    }

    private static DeliveryResult resultOf(CompletableFuture<DeliveryResult> ended) {
        try {
            DeliveryResult result = ended.join();
            return result != null ? result : DeliveryResult.retry("The destination reported no result (null)");
        } catch (RuntimeException failure) {
            Throwable cause = failure.getCause() != null ? failure.getCause() : failure;
            return DeliveryResult.retry(cause.getClass().getName() + ": " + cause.getMessage(), cause);
        }
    }

    private DeliveryResult classified(TrackedMessage entry, DeliveryResult result) {
        if (!(result instanceof Failed failure) || result instanceof DeliveryResult.Abandoned) {
            return result;
        }
        try {
            return Objects.requireNonNull(classifier.classify(entry.message, failure), "no classification (null)");
        } catch (Throwable broken) {
            // Whatever it is, it must not keep the outcome from the worker: the key would wait for ever.
            context.listener().classifierFailed(entry.attempt(entry.attempts + 1), broken);
            return failure;
        }
    }

    private static Fate tellGate(TrackedMessage entry, DeliveryResult result) {
        DestinationGate gate = entry.gate.shared;
        if (result instanceof DeliveryResult.Delivered) {
            gate.places().delivered(entry);
            gate.succeeded();
            return Fate.ATTEMPT;
        }
        gate.places().endedOtherwise(entry);
        if (result instanceof DeliveryResult.Outage outage) {
            return gate.dropped(entry.message.id(), outage.reason(), entry.outagesBefore);
        }
        if (result instanceof DeliveryResult.Retry retry) {
            String key = entry.message.key().orElseGet(() -> entry.message.id().toString());
            return gate.failed(key, retry.reason(), entry.outagesBefore);
        }
        gate.left();
        return Fate.ATTEMPT;
    }
}
