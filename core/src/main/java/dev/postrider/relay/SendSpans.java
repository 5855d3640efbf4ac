package dev.postrider.relay;

import dev.postrider.internal.Readable;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import java.time.Duration;

/** Makes a span of each attempt, from the call of the destination to the outcome. Costs nothing while nobody traces. Thread-safe. */
final class SendSpans {

    private static final String OUTCOME = "postrider.outcome";

    private final RelayContext context;
    private final TraceContext trace;

    SendSpans(RelayContext context) {
        this.context = context;
        this.trace = context.trace();
    }

    /** The same context, with the span of this attempt. */
    SendContext begin(TrackedMessage row, SendContext sending) {
        if (trace == TraceContext.NONE) {
            return sending;
        }
        row.span = trace.sending(new TraceContext.Sending(
                context.store().name(), row.gate.shared.destination(), row.message, sending, row.age(context.now())));
        return sending.with(row.span);
    }

    /** To be called before the worker learns of the outcome: it may send the row again at once. */
    static void end(TrackedMessage row, DeliveryResult result) {
        TraceSpan span = row.span;
        if (span == TraceSpan.NONE) {
            return;
        }
        row.span = TraceSpan.NONE;
        String outcome = outcomeOf(result);
        span.tag(OUTCOME, outcome);
        if (result instanceof Failed failed) {
            span.fail(failed.cause().map(cause -> cause.getClass().getName()).orElse(outcome), failed.reason());
        } else {
            span.end();
        }
    }

    /** Nobody knows when it ends, if ever, and the trace must not wait for it. Its real end has no effect any more. */
    static void overdue(TrackedMessage row, Duration since) {
        TraceSpan span = row.span;
        span.tag(OUTCOME, "overdue");
        span.fail("overdue", "The destination has not reported an outcome for " + Readable.time(since));
    }

    private static String outcomeOf(DeliveryResult result) {
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
