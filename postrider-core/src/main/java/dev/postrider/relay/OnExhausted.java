package dev.postrider.relay;

/** What happens to a message that cannot be delivered: its attempts ran out, or the destination rejected it. */
public enum OnExhausted {

    /** It becomes a dead letter, and its key moves on. The default. */
    DEAD_LETTER,

    /**
     * It becomes a dead letter together with everything after it of its key, so that an operator can replay them in order:
     * what waits for the same destination, and what arrives later for any.
     */
    DEAD_LETTER_KEY,

    /** It stays held, and its key waits at its destination until an operator unblocks it. */
    BLOCK_KEY
}
