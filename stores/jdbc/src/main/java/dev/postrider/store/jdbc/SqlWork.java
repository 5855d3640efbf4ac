package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.Connection;
import java.sql.SQLException;

/** What to do inside one transaction. May run more than once: it must have no effect outside the database. */
@Internal
@FunctionalInterface
public interface SqlWork<T> {

    T run(Connection connection) throws SQLException;
}
