package dev.postrider.spi;

/** What the store knew about the key of a row, in the snapshot in which the row was read. */
public enum KeyState {

    /** Nothing of this key waits in the held table. */
    FREE,

    /**
     * A message of this key waits in the held table: the row must be put there too, where seq decides the order. Also a row
     * that committed late and comes before all of them.
     */
    HELD,

    /** The key was given up as a whole: the row must become a dead letter too. */
    BURIED
}
