package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.util.Optional;

/**
 * One table: its schema and name as they are, and quoted for use in statements.
 *
 * @param sql quoted, with the schema where one is set
 */
@Internal
public record TableName(Optional<String> schema, String name, String sql) {

    /** The quoted form, so that a table can stand in a formatted statement. */
    @Override
    public String toString() {
        return sql;
    }
}
