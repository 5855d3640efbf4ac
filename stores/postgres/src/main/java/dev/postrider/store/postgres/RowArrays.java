package dev.postrider.store.postgres;

import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Rows as three arrays: one statement for any number of them.
 *
 * <p>Joined row by row on the primary key (lane, seq); the id is compared as well, since a seq may come again after a
 * fail-over.
 */
final class RowArrays implements RowPredicate {

    /** A table function; parameters: lanes, seqs, ids. */
    static final String ROWS = "unnest(CAST(? AS integer[]), CAST(? AS bigint[]), CAST(? AS uuid[]))";

    static final String SQL = "(lane, seq, id) IN (SELECT * FROM %s)".formatted(ROWS);

    private final List<RowRef> rows;

    RowArrays(List<RowRef> rows) {
        this.rows = rows;
    }

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(SqlStatement statement) throws SQLException {
        statement.withObject(rows.stream().mapToInt(RowRef::lane).toArray());
        statement.withObject(rows.stream().mapToLong(RowRef::seq).toArray());
        statement.withObject(
                rows.stream().map(row -> row.id().toUuid().toString()).toArray(String[]::new));
    }
}
