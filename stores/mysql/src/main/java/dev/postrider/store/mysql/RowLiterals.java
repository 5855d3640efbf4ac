package dev.postrider.store.mysql;

import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.SqlList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A condition for exactly these rows of the hot table: by seq for the primary key, and by all three columns, since a seq may come
 * again after a fail-over.
 *
 * <p>As literals, since numbers and hex digits need no escaping; in pieces, since MariaDB turns a list of a thousand values, three
 * for each row, into a join and then ignores the index hint.
 */
record RowLiterals(List<RowRef> rows) {

    private static final int LIST_SIZE = 300;

    String sql() {
        return in("seq", row -> Long.toString(row.seq())) + " AND " + in("(lane, seq, id)", RowLiterals::tuple);
    }

    private static String tuple(RowRef row) {
        return "(" + row.lane() + "," + row.seq() + ",X'" + row.id().toHex() + "')";
    }

    private String in(String columns, Function<RowRef, String> literal) {
        return SqlList.chunks(rows, LIST_SIZE).stream()
                .map(piece -> piece.stream().map(literal).collect(Collectors.joining(",", columns + " IN (", ")")))
                .collect(Collectors.joining(" OR ", "(", ")"));
    }
}
