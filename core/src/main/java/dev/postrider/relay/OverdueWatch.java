package dev.postrider.relay;

import java.time.Duration;

/**
 * Reports sends that a destination should have ended long ago.
 *
 * <p>It only reports: treating such a send as failed would let the next message of its key overtake it, should it still
 * arrive.
 */
final class OverdueWatch {

    private final RelayContext context;
    private final LaneMemory memory;
    private final SendSpans spans;
    private long nextAt;

    OverdueWatch(RelayContext context, LaneMemory memory, SendSpans spans) {
        this.context = context;
        this.memory = memory;
        this.spans = spans;
        this.nextAt = context.now() + interval();
    }

    void lookIfDue() {
        if (context.now() - nextAt >= 0) {
            nextAt = context.now() + interval();
            memory.lanes().forEach(lane -> lane.rows.values().forEach(this::look));
            spans.endOverdue();
        }
    }

    private void look(TrackedMessage entry) {
        if (entry.state() == RowState.IN_FLIGHT && !entry.isReportedOverdue) {
            Duration since = context.since(entry.sentAt);
            if (since.compareTo(context.options().deliveryTimeout()) > 0) {
                entry.isReportedOverdue = true;
                context.listener().overdue(entry.attempt(entry.attempts + 1), since);
            }
        }
    }

    private long interval() {
        return context.options().deliveryTimeout().toNanos() / 2;
    }
}
