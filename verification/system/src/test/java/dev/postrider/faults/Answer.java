package dev.postrider.faults;

/** What the broker does with a message. */
enum Answer {
    /** Keeps it and says so. */
    ACKNOWLEDGE,
    /** Keeps it, and says so only when told to. */
    WITHHOLD,
    /** Does not keep it and asks to try again later. */
    RETRY,
    /** Does not keep it and never will. */
    REJECT,
    /** Does not keep it and drops the connection. */
    DROP_CONNECTION
}
