package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;

/** The kinds of rows in the control table. */
@Internal
public final class ControlKind {

    /** The name is that of a destination that an operator paused. */
    public static final String PAUSE = "pause";

    private ControlKind() {}
}
