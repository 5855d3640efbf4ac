package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.TableName;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks TiDB for the transactions that are open on all its servers.
 *
 * <p>TiDB has no dirty read: a number that no read shows may belong to an open transaction, for as long as a day. But every
 * transaction has its start timestamp before it draws a number, and every TiDB server lists its own. Transactions that have used
 * other tables only do not count.
 *
 * <p>Without the privilege PROCESS the list shows the transactions of one's own user alone and proves nothing. Then every number
 * stays in doubt for a day, and is looked up.
 */
final class TidbTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(TidbTransactions.class);

    private static final int PRIVILEGE_MISSING = 1227;

    /** Refused to those who would not see all transactions. */
    private static final String ASK_FOR_PRIVILEGE = "SELECT COUNT(*) FROM information_schema.CLUSTER_INFO";

    /** A transaction that has used no table yet, and on a server without metadata locks any, has an empty list of tables. */
    private static final String STARTS = """
            SELECT MAX(CASE WHEN x.SESSION_ID = CONNECTION_ID() THEN x.ID END) AS own,
                   MIN(CASE WHEN x.RELATED_TABLE_IDS = '' OR FIND_IN_SET(t.TIDB_TABLE_ID, x.RELATED_TABLE_IDS) > 0
                            THEN x.ID END) AS oldest
            FROM information_schema.CLUSTER_TIDB_TRX x
            JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = %s AND t.TABLE_NAME = '%s'""";

    private final TableName hot;
    private final String sql;
    private Optional<Boolean> seesAll = Optional.empty();

    TidbTransactions(TableName hot) {
        this.hot = hot;
        this.sql =
                STARTS.formatted(hot.schema().map(schema -> "'" + schema + "'").orElse("DATABASE()"), hot.name());
    }

    /** Empty if it is not known. */
    Optional<TransactionStarts> starts(ReadSession session) {
        try {
            return canSeeAll(session) ? ask(session) : Optional.empty();
        } catch (SQLException silent) {
            // A server of the cluster does not answer: its transactions may be open.
            LOG.debug("Could not list the open transactions of TiDB; numbers stay in doubt", silent);
            return Optional.empty();
        }
    }

    /** The statement itself is in the list: its start is the present time. */
    private Optional<TransactionStarts> ask(ReadSession session) throws SQLException {
        return session.list(Isolation.READ_COMMITTED, sql, statement -> {}, row -> {
                    long own = row.getLong("own");
                    return row.wasNull()
                            ? Optional.<TransactionStarts>empty()
                            : Optional.of(new TransactionStarts(own, Math.min(own, row.getLong("oldest"))));
                })
                .get(0);
    }

    private synchronized boolean canSeeAll(ReadSession session) throws SQLException {
        if (seesAll.isEmpty()) {
            seesAll = Optional.of(askForPrivilege(session));
        }
        return seesAll.get();
    }

    private boolean askForPrivilege(ReadSession session) throws SQLException {
        try {
            session.list(Isolation.READ_COMMITTED, ASK_FOR_PRIVILEGE, statement -> {}, row -> row.getLong(1));
            return true;
        } catch (SQLException error) {
            if (error.getErrorCode() != PRIVILEGE_MISSING) {
                throw error;
            }
            LOG.warn(
                    "The relay of {} may not see the open transactions of TiDB, so it looks longer for late commits and its fetches are slower: GRANT PROCESS ON *.* to its user",
                    hot);
            return false;
        }
    }
}
