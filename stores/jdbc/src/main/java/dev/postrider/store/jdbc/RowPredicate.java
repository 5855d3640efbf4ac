package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.SQLException;

/** A condition that is true for given rows, with its parameters. */
@Internal
public interface RowPredicate {

    /** A condition in parentheses, to follow {@code WHERE} or {@code AND}. */
    String sql();

    /** Binds the parameters, in order. */
    void bind(SqlStatement statement) throws SQLException;
}
