package dev.postrider.store.mysql;

import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcRelayStore;
import dev.postrider.store.jdbc.SqlList;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Deletes delivered rows, which is what happens to nearly all, in two round trips and one commit; everything else by the shared
 * statements.
 */
final class MysqlRelayStore extends JdbcRelayStore {

    /** Keeps a statement well below any server's limit of its length. Each one is a transaction of its own. */
    private static final int MAX_ROWS = 4000;

    /** MariaDB turns a list of a thousand values, three for each row, into a join, and then ignores the index hint. */
    private static final int LIST_SIZE = 300;

    private final JdbcContext context;
    private final Flavor flavor;

    MysqlRelayStore(JdbcContext context, Flavor flavor, Supplier<LaneScan> scans, Ordering ordering) {
        super(context, scans, ordering);
        this.context = context;
        this.flavor = flavor;
    }

    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        // In one order for everybody, so that a relay and the one that took over from it cannot block each other.
        List<RowRef> sorted =
                delivered.stream().sorted(Comparator.comparingLong(RowRef::seq)).toList();
        for (List<RowRef> chunk : SqlList.chunks(sorted, MAX_ROWS)) {
            context.transactions().inOneStatement("delete delivered messages", c -> delete(c, chunk));
        }
    }

    /** At READ COMMITTED it locks the rows that it deletes, and no gap in which a writer might insert. */
    private int delete(Connection connection, List<RowRef> rows) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(MysqlDialect.nextTransaction(Isolation.READ_COMMITTED));
            return statement.executeUpdate(
                    context.dialect().deleteRows(context.tables().hot(), exactly(rows)));
        }
    }

    /**
     * By seq for the primary key, and by all three columns, since a seq may come again after a fail-over. As literals, since numbers and
     * hex digits need no escaping.
     */
    private String exactly(List<RowRef> rows) {
        return flavor == Flavor.TIDB
                ? new RowNames(rows).sql()
                : in(rows, "seq", row -> Long.toString(row.seq())) + " AND "
                        + in(rows, "(lane, seq, id)", MysqlRelayStore::tuple);
    }

    private static String tuple(RowRef row) {
        return "(" + row.lane() + "," + row.seq() + ",X'" + row.id().toHex() + "')";
    }

    private static String in(List<RowRef> rows, String columns, Function<RowRef, String> literal) {
        return SqlList.chunks(rows, LIST_SIZE).stream()
                .map(piece -> piece.stream().map(literal).collect(Collectors.joining(",", columns + " IN (", ")")))
                .collect(Collectors.joining(" OR ", "(", ")"));
    }
}
