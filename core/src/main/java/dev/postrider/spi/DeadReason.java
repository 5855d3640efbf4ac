package dev.postrider.spi;

/** Why a message was given up. */
public enum DeadReason {
    /** The destination refused it for good. */
    REJECTED,
    /** All attempts failed. */
    ATTEMPTS_EXHAUSTED,
    /** The row cannot be read as a message. */
    UNREADABLE,
    /** A reason that this version does not know: a newer or older version gave the message up. */
    OTHER
}
