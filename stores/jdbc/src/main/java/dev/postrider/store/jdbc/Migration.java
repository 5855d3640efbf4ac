package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.util.List;

/**
 * One step of a schema, ready to run.
 *
 * @param version counts from 1 without gaps
 * @param statements where DDL is not transactional, each must do no harm when it runs again
 */
@Internal
public record Migration(int version, List<String> statements) {

    public Migration {
        statements = List.copyOf(statements);
    }
}
