package dev.postrider.store.mysql;

import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SqlList;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rows by lane and seq for the primary key, which is (seq) or (lane, seq, id), and by all three columns for exactness.
 *
 * <p>Both lists are filled up to a power of two with their last element, so that few different statements occur and drivers
 * can keep them prepared.
 */
final class RowTuples implements RowPredicate {

    private final List<Integer> lanes;
    private final List<RowRef> rows;

    RowTuples(List<RowRef> rows) {
        this.lanes = filledUp(rows.stream().map(RowRef::lane).distinct().toList());
        this.rows = filledUp(rows);
    }

    @Override
    public String sql() {
        return "(lane IN (%s) AND seq IN (%s) AND (lane, seq, id) IN (%s))"
                .formatted(
                        SqlList.of("?", lanes.size()),
                        SqlList.of("?", rows.size()),
                        SqlList.of("(?, ?, ?)", rows.size()));
    }

    @Override
    public void bind(SqlStatement statement) throws SQLException {
        statement.withInts(lanes);
        for (RowRef row : rows) {
            statement.with(row.seq());
        }
        for (RowRef row : rows) {
            statement.with(row);
        }
    }

    private static <T> List<T> filledUp(List<T> list) {
        int size = Integer.highestOneBit(Math.max(1, 2 * list.size() - 1));
        List<T> filled = new ArrayList<>(list);
        filled.addAll(Collections.nCopies(size - list.size(), list.get(list.size() - 1)));
        return filled;
    }
}
