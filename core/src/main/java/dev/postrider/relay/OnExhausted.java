package dev.postrider.relay;

/** What happens to a message that cannot be delivered: its attempts ran out, or the destination rejected it. */
public enum OnExhausted {

    /** It becomes a dead letter, and its key moves on. The default. */
    DEAD_LETTER,

    /** It stays held, and its key waits at its destination until an operator unblocks it. */
    BLOCK_KEY
}
