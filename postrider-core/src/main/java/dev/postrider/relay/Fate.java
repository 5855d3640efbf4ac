package dev.postrider.relay;

/** What a failed send means for its message. */
enum Fate {
    /** It is the message's own failure: an attempt counts. */
    ATTEMPT,
    /** It is the destination's: no attempt counts, and the message is read again when the destination is back. */
    UNSENT,
    /**
     * It is the destination's, as far as one can tell by trying: no attempt counts, and the message waits longer than the destination
     * does, so that the next one to try it with is another.
     */
    STEPS_BACK
}
