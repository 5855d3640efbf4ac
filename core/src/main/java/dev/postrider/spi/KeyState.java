package dev.postrider.spi;

/** What the store knew about the key of a row, in the snapshot in which the row was read. */
public enum KeyState {

    /** Nothing of this key waits in the held table, for whatever destination. */
    FREE,

    /**
     * A message of this key waits in the held table. If it is for the same destination ({@link HeldMessages#occupied}), the
     * row must be put there too, where seq decides the order; also a row that committed late and comes before all of them.
     */
    HELD
}
