package dev.postrider.store.jdbc;

/** The kinds of rows in the control table. */
public final class ControlKind {

    /** The name is that of a destination that an operator paused. */
    public static final String PAUSE = "pause";

    private ControlKind() {}
}
