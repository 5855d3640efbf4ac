package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Turns the current row of a result into a value. */
@Internal
@FunctionalInterface
public interface RowMapper<T> {

    T map(ResultSet row) throws SQLException;
}
