package dev.postrider.maintenance;

/** What maintenance deletes row by row. */
public enum Expired {
    /** Delivered messages in the audit trail. */
    SENT("delivered messages"),
    /** Dead letters. */
    DEAD_LETTERS("dead letters"),
    /** Dedup keys. */
    DEDUP_KEYS("dedup keys"),
    /** Records of what operators and cleanups did. */
    OPERATIONS("records of operations"),
    /** Delivered messages in the tail partition of the audit trail. */
    TAIL("delivered messages in the tail partition");

    private final String words;

    Expired(String words) {
        this.words = words;
    }

    /** In words, for people. */
    @Override
    public String toString() {
        return words;
    }
}
