package dev.postrider.bench.store;

import dev.postrider.service.database.DatabaseKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * The loop that one would write by hand: a bounded SELECT with every column read, and one DELETE for the batch, with auto-commit.
 *
 * <p>It has none of the relay's promises: one cursor that misses late commits, one process, no retry. It is the limit that
 * the relay is measured against. For one thread.
 */
interface JdbcLoop {

    /** The default batch size of a relay, in rows. */
    int BATCH = 500;

    /** The loop for the primary key that the outbox has in this database. */
    static JdbcLoop of(BenchOutbox outbox, Connection connection) {
        return outbox.database().kind() == DatabaseKind.POSTGRES
                ? new LaneLoop(connection, outbox.table())
                : new SequenceLoop(connection, outbox.table());
    }

    /** Reads and deletes the next batch; returns its size, 0 at the end. */
    int next() throws SQLException;

    /** Reads what a relay would need for sending; returns a number made of it, so that nothing is optimised away. */
    static int read(ResultSet row) throws SQLException {
        return row.getBytes("payload").length
                + row.getString("topic").length()
                + row.getString("message_key").length()
                + row.getString("type").length()
                + Objects.toString(row.getString("headers"), "").length()
                + row.getString("content_type").length()
                + row.getTimestamp("created_at").getNanos()
                + row.getObject("id").hashCode();
    }
}
