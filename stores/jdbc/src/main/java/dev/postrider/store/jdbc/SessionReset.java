package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.Connection;
import java.sql.SQLException;

/** Undoes what {@link Dialect#begin} left in the session; called after commit or rollback. */
@Internal
@FunctionalInterface
public interface SessionReset {

    /** For dialects whose begin leaves nothing behind. */
    SessionReset NONE = connection -> {};

    void reset(Connection connection) throws SQLException;
}
