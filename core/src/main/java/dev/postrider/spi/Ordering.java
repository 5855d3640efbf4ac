package dev.postrider.spi;

/** What order a relay keeps among the messages of one outbox. All relays of one outbox must use the same. */
public enum Ordering {

    /**
     * Messages of one key go out in the order in which their transactions serialised; a failing message holds back its own
     * key only. The default.
     */
    PER_KEY,

    /**
     * One queue for everything; the outbox must have exactly one lane. A failing message holds back all behind it until it
     * is delivered or given up.
     */
    GLOBAL,

    /** No order at all: the fastest, and a failing message holds back nothing. */
    NONE
}
