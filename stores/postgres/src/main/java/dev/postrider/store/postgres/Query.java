package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.RowMapper;
import java.sql.SQLException;

/**
 * One statement with its parameters and the reading of its whole result.
 *
 * @param sql always the same text for the same kind of query, so that it stays prepared
 */
record Query<T>(String sql, Binding binding, RowMapper<T> result) {

    /** Binds all parameters, in the order of the text. */
    @FunctionalInterface
    interface Binding {
        void bind(Parameters parameters) throws SQLException;
    }
}
