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
import java.util.function.Supplier;

/**
 * Deletes delivered rows, which is what happens to nearly all, in two round trips and one commit; everything else by the shared
 * statements.
 */
final class MysqlRelayStore extends JdbcRelayStore {

    /** Keeps a statement well below any server's limit of its length. Each one is a transaction of its own. */
    private static final int MAX_ROWS = 4000;

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

    private String exactly(List<RowRef> rows) {
        return flavor == Flavor.TIDB ? new RowNames(rows).sql() : new RowLiterals(rows).sql();
    }
}
