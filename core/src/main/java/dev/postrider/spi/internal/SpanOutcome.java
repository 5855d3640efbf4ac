package dev.postrider.spi.internal;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.TraceSpan;

/** Ends the span of a send with what became of it. Stateless. */
public final class SpanOutcome {

    private SpanOutcome() {}

    /** The destination has said how it ended. */
    public static void end(TraceSpan span, DeliveryResult result) {
        String outcome = of(result);
        if (result instanceof Failed failed) {
            String errorType =
                    failed.cause().map(cause -> cause.getClass().getName()).orElse(outcome);
            fail(span, outcome, errorType, failed.reason());
        } else {
            span.tag(TraceAttributes.OUTCOME, outcome);
            span.end();
        }
    }

    /** The destination has not said how it ended. */
    public static void fail(TraceSpan span, String outcome, String reason) {
        fail(span, outcome, outcome, reason);
    }

    private static void fail(TraceSpan span, String outcome, String errorType, String reason) {
        span.tag(TraceAttributes.OUTCOME, outcome);
        span.fail(errorType, reason);
    }

    private static String of(DeliveryResult result) {
        if (result instanceof DeliveryResult.Retry) {
            return "retry";
        } else if (result instanceof DeliveryResult.Reject) {
            return "rejected";
        } else if (result instanceof DeliveryResult.Outage) {
            return "outage";
        } else if (result instanceof DeliveryResult.Unavailable) {
            return "unavailable";
        }
        return result instanceof DeliveryResult.Abandoned ? "abandoned" : "delivered";
    }
}
