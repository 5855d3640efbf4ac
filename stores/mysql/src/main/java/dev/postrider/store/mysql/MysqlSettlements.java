package dev.postrider.store.mysql;

import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.SqlList;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;

/**
 * Deletes delivered rows, which is what happens to nearly all, in two round trips and one commit; everything else by the shared
 * statements.
 */
final class MysqlSettlements implements Settlements {

    /** Keeps a statement well below any server's limit of its length. Each one is a transaction of its own. */
    private static final int MAX_ROWS = 4000;

    private final JdbcContext context;
    private final Settlements shared;

    MysqlSettlements(JdbcContext context, Settlements shared) {
        this.context = context;
        this.shared = shared;
    }

    @Override
    public void delete(List<RowRef> delivered) {
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
                    context.dialect().deleteRows(context.tables().hot(), new RowLiterals(rows).sql()));
        }
    }

    @Override
    public void apply(Lease lease, List<RowOutcome> outcomes) {
        shared.apply(lease, outcomes);
    }
}
