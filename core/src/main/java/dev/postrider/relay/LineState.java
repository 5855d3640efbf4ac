package dev.postrider.relay;

/** Where the messages of one key stand together. {@link Lines} says what each step means; only {@link Line} takes it. */
enum LineState {
    /** The next message begins as soon as the destination takes it. */
    FLOWING,
    /** A message was not delivered: none begins until all in flight have ended. */
    STOPPING,
    /** A message was given up: none begins until that is recorded. */
    RECORDING,
    /** A message of the key is held before these: none begins, and all go behind it when those in flight have ended. */
    YIELDING,
    /** Its lane is read again, released or lost: nothing is left but what is in flight. */
    DETACHED;

    /** What happens to a line. */
    enum Event {
        BEGIN,
        STOP,
        RESUME,
        GIVE_UP,
        RECORD,
        YIELD,
        DETACH
    }

    /** The state after this event; often the same, where a stronger reason already keeps the line from going on. */
    LineState after(Event event) {
        return switch (this) {
            case FLOWING ->
                switch (event) {
                    case BEGIN, RESUME -> FLOWING;
                    case STOP -> STOPPING;
                    case GIVE_UP -> RECORDING;
                    case YIELD -> YIELDING;
                    case DETACH -> DETACHED;
                    case RECORD -> throw impossible(event);
                };
            case STOPPING ->
                switch (event) {
                    case STOP -> STOPPING;
                    case RESUME -> FLOWING;
                    case GIVE_UP -> RECORDING;
                    case YIELD -> YIELDING;
                    case DETACH -> DETACHED;
                    case BEGIN, RECORD -> throw impossible(event);
                };
            case RECORDING ->
                switch (event) {
                    case STOP, RESUME, GIVE_UP -> RECORDING;
                    case RECORD -> FLOWING;
                    case DETACH -> DETACHED;
                    case BEGIN, YIELD -> throw impossible(event);
                };
            case YIELDING ->
                switch (event) {
                    case STOP, RESUME, GIVE_UP -> YIELDING;
                    case DETACH -> DETACHED;
                    case BEGIN, RECORD, YIELD -> throw impossible(event);
                };
            case DETACHED ->
                switch (event) {
                    case STOP, GIVE_UP, RECORD, DETACH -> DETACHED;
                    case BEGIN, RESUME, YIELD -> throw impossible(event);
                };
        };
    }

    private IllegalStateException impossible(Event event) {
        return new IllegalStateException("A line that is " + this + " cannot " + event);
    }
}
