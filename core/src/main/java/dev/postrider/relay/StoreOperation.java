package dev.postrider.relay;

/** What a relay asks of its store; the same words in events, logs and metrics. */
public enum StoreOperation {
    /** Read new rows. */
    FETCH("fetch"),
    /** Record outcomes. */
    SETTLE("settle"),
    /** Read held messages that are due. */
    READ_HELD("read held messages"),
    /** Say for which destination messages are held. */
    ASSIGN_HELD("assign held messages"),
    /** Put dead letters back that an operator wants to be retried. */
    ADOPT_RETRIES("adopt retries"),
    /** Move delayed messages that are due. */
    RELEASE_DELAYED("release delayed messages"),
    /** Look for rows that the scan missed. */
    SWEEP("sweep"),
    /** Prolong leases. */
    RENEW_LEASES("renew leases"),
    /** Make a lane consistent that was just taken. */
    TAKE_OVER_LANE("take over a lane"),
    /** Release a lane. */
    RELEASE_LANE("release a lane"),
    /** Count relays, share lanes, follow pauses. */
    KEEP_LANES("keep lanes"),
    /** Say good-bye when the relay closes. */
    LEAVE("leave");

    private final String words;

    StoreOperation(String words) {
        this.words = words;
    }

    /** For texts: "The store failed to …". */
    @Override
    public String toString() {
        return words;
    }
}
