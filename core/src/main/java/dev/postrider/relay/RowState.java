package dev.postrider.relay;

import java.util.Map;

/** Where a row in memory stands. {@link Lines} says what each step means; it and its {@link Evictions} are the only ones that take it. */
enum RowState {
    /** In its line, not sent. */
    WAITING,
    /** Sent, and the destination has not said how it ended. */
    IN_FLIGHT,
    /** Its send has ended; if it was not delivered, what becomes of it is decided when nothing of its line is in flight any more. */
    ENDED,
    /** What became of it waits to be recorded. */
    SETTLING,
    /** No longer in memory. */
    GONE;

    /** What happens to a row. */
    enum Event {
        BEGIN,
        END,
        RESUME,
        SETTLE,
        FORGET
    }

    private static final Map<RowState, Map<Event, RowState>> STEPS = Map.of(
            WAITING, Map.of(Event.BEGIN, IN_FLIGHT, Event.SETTLE, SETTLING, Event.FORGET, GONE),
            IN_FLIGHT, Map.of(Event.END, ENDED, Event.FORGET, GONE),
            ENDED, Map.of(Event.RESUME, WAITING, Event.SETTLE, SETTLING, Event.FORGET, GONE),
            SETTLING, Map.of(Event.FORGET, GONE),
            GONE, Map.of(Event.END, GONE, Event.SETTLE, GONE, Event.FORGET, GONE));

    /** The state after this event. */
    RowState after(Event event) {
        RowState next = STEPS.getOrDefault(this, Map.of()).get(event);
        if (next == null) {
            throw new IllegalStateException("A row that is " + this + " cannot " + event);
        }
        return next;
    }
}
