package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.Connection;
import java.sql.SQLException;

/** What to do inside one transaction, without a result. May run more than once, like {@link SqlWork}. */
@Internal
@FunctionalInterface
public interface SqlAction {

    void run(Connection connection) throws SQLException;
}
