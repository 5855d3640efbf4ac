package dev.postrider.relay;

import dev.postrider.internal.Readable;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.SpanOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes a span of each attempt, from the call of the destination to the outcome. Costs nothing while nobody traces. Each span ends once: by the
 * outcome, when that is overdue, or when the relay is closed; also when the lane was lost meanwhile and nothing else knows the row any more.
 * Thread-safe.
 */
final class SendSpans {

    private final RelayContext context;
    private final TraceContext trace;

    /** Of what is in flight. Who takes a span out ends it. */
    private final Map<TrackedMessage, TraceSpan> open = new ConcurrentHashMap<>();

    SendSpans(RelayContext context) {
        this.context = context;
        this.trace = context.trace();
    }

    /** The same context, with the span of this attempt. */
    SendContext begin(TrackedMessage row, SendContext sending) {
        if (trace == TraceContext.NONE) {
            return sending;
        }
        TraceSpan span = trace.sending(new TraceContext.Sending(
                context.store().name(), row.gate.shared.destination(), row.message, sending, row.age(context.now())));
        if (span == TraceSpan.NONE) {
            return sending;
        }
        open.put(row, span);
        return sending.with(span);
    }

    /** To be called before the worker learns of the outcome: it may send the row again at once. */
    void end(TrackedMessage row, DeliveryResult result) {
        if (trace == TraceContext.NONE) {
            return;
        }
        TraceSpan span = open.remove(row);
        if (span != null) {
            SpanOutcome.end(span, result);
        }
    }

    /** Nobody knows when these sends end, if ever, and the trace must not wait for it. On the worker's thread. */
    void endOverdue() {
        Duration limit = context.options().deliveryTimeout();
        for (TrackedMessage row : open.keySet()) {
            Duration since = context.since(row.sentAt);
            if (since.compareTo(limit) > 0) {
                fail(row, "overdue", "The destination has not reported an outcome for " + Readable.time(since));
            }
        }
    }

    /** The relay ends, and soon after it whoever takes the spans. */
    void endAll() {
        for (TrackedMessage row : open.keySet()) {
            fail(row, "closed", "The relay was closed before the destination reported an outcome");
        }
    }

    private void fail(TrackedMessage row, String outcome, String reason) {
        TraceSpan span = open.remove(row);
        if (span != null) {
            SpanOutcome.fail(span, outcome, reason);
        }
    }
}
