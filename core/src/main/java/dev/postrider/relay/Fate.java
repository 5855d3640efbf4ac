package dev.postrider.relay;

/** What a failed send means for its message. */
enum Fate {
    /** It is the message's own failure: an attempt counts. */
    ATTEMPT,
    /** It is the destination's: no attempt counts, and the message is read again when the destination is back. */
    UNSENT,
    /**
     * It is the destination's, or that of a place there: no attempt counts, and the message waits in the held table. Where only sending
     * can tell whether the destination is back, it waits longer than the gate, so that the next trial is another message's.
     */
    STEPS_BACK
}
