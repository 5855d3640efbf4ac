package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rows as lists of parameters: by seq for the index, and by all three columns for exactness.
 *
 * <p>The list is filled up to a power of two with its last row, so that few different statements occur and drivers can keep
 * them prepared.
 */
final class RowListPredicate implements RowPredicate {

    private final List<RowRef> rows;

    RowListPredicate(List<RowRef> rows) {
        this.rows = filledUp(rows);
    }

    @Override
    public String sql() {
        return "(seq IN (%s) AND (lane, seq, id) IN (%s))"
                .formatted(SqlList.of("?", rows.size()), SqlList.of("(?, ?, ?)", rows.size()));
    }

    @Override
    public void bind(SqlStatement statement) throws SQLException {
        for (RowRef row : rows) {
            statement.with(row.seq());
        }
        for (RowRef row : rows) {
            statement.with(row);
        }
    }

    private static List<RowRef> filledUp(List<RowRef> rows) {
        int size = SqlList.powerOfTwo(rows.size());
        List<RowRef> filled = new ArrayList<>(rows);
        filled.addAll(Collections.nCopies(size - rows.size(), rows.get(rows.size() - 1)));
        return filled;
    }
}
