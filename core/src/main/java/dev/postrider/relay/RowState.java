package dev.postrider.relay;

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

    /** The state after this event. */
    RowState after(Event event) {
        return switch (this) {
            case WAITING ->
                switch (event) {
                    case BEGIN -> IN_FLIGHT;
                    case SETTLE -> SETTLING;
                    case FORGET -> GONE;
                    case END, RESUME -> throw impossible(event);
                };
            case IN_FLIGHT ->
                switch (event) {
                    case END -> ENDED;
                    case FORGET -> GONE;
                    case BEGIN, RESUME, SETTLE -> throw impossible(event);
                };
            case ENDED ->
                switch (event) {
                    case RESUME -> WAITING;
                    case SETTLE -> SETTLING;
                    case FORGET -> GONE;
                    case BEGIN, END -> throw impossible(event);
                };
            case SETTLING ->
                switch (event) {
                    case FORGET -> GONE;
                    case BEGIN, END, RESUME, SETTLE -> throw impossible(event);
                };
            case GONE ->
                switch (event) {
                    case END, SETTLE, FORGET -> GONE;
                    case BEGIN, RESUME -> throw impossible(event);
                };
        };
    }

    private IllegalStateException impossible(Event event) {
        return new IllegalStateException("A row that is " + this + " cannot " + event);
    }
}
