package dev.postrider.store.jdbc;

/** The kinds of rows in the control table. */
public final class ControlKind {

    /** The name is that of a destination that an operator paused. */
    public static final String PAUSE = "pause";

    /** The name is a message key that was given up as a whole; a scan reports its rows as buried. */
    public static final String BURIED_KEY = "buried_key";

    private ControlKind() {}
}
