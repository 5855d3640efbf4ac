package dev.postrider.store.postgres;

import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcRelayStore;
import dev.postrider.store.jdbc.MessageColumns;
import dev.postrider.store.jdbc.TableNames;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Records the two outcomes that nearly all messages have, deleted and kept, in one round trip each; everything else by the
 * shared statements.
 */
final class PostgresRelayStore extends JdbcRelayStore {

    private static final String MODE = "READ COMMITTED";

    /** Row by row on the primary key, whatever the statistics say. */
    static final String PLAN = """
            SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
                   set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
                   set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)""";

    private static final Comparator<RowRef> BY_LANE_AND_SEQ =
            Comparator.comparingInt(RowRef::lane).thenComparingLong(RowRef::seq);

    private final SingleRoundTrip trip;
    private final String delete;
    private final String keep;
    private final boolean keepsDelivered;

    PostgresRelayStore(JdbcContext context, Supplier<LaneScan> scans, Ordering ordering) {
        super(context, scans, ordering);
        this.trip = new SingleRoundTrip(context);
        this.delete = SingleRoundTrip.text(MODE, PLAN, delete(context.tables()));
        this.keep = SingleRoundTrip.text(MODE, PLAN, keep(context.tables()));
        this.keepsDelivered = context.options().keepsDelivered();
    }

    /** A join and not IN, for which the server would first look for rows that are named twice: a fifth more of its time. */
    static String delete(TableNames tables) {
        return """
                DELETE FROM %s o USING %s AS d (lane, seq, id)
                WHERE o.lane = d.lane AND o.seq = d.seq AND o.id = d.id""".formatted(tables.hot(), RowArrays.ROWS);
    }

    /**
     * The fence is part of the statement: FOR SHARE waits for a take-over that is under way and then finds the epoch changed,
     * and makes one that comes later wait for this commit. Share and not more, since nothing here depends on held rows.
     */
    static String keep(TableNames tables) {
        return """
                WITH fence AS MATERIALIZED (
                  SELECT lane FROM %1$s WHERE lane = ? AND owner = ? AND epoch = ? FOR SHARE
                ), gone AS (
                  DELETE FROM %2$s WHERE EXISTS (SELECT FROM fence) AND %3$s RETURNING %4$s
                ), kept AS (
                  INSERT INTO %5$s (%4$s, delivered_at) SELECT %4$s, now() FROM gone
                )
                SELECT EXISTS (SELECT FROM fence) AS owned""".formatted(tables.lane(), tables.hot(), RowArrays.SQL, MessageColumns.ALL, tables.sent());
    }

    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        if (!delivered.isEmpty()) {
            trip.run("delete delivered messages", delete, parameters -> bind(parameters, delivered), results -> true);
        }
    }

    @Override
    public void settle(Lease lease, List<RowOutcome> outcomes) {
        if (keepsDelivered && !outcomes.isEmpty() && outcomes.stream().allMatch(each -> isKept(each, lease))) {
            keep(lease, outcomes.stream().map(RowOutcome::row).toList());
        } else {
            super.settle(lease, outcomes);
        }
    }

    private static boolean isKept(RowOutcome outcome, Lease lease) {
        return outcome.table() == RowOutcome.Table.HOT
                && outcome.isDelivered()
                && outcome.row().lane() == lease.lane();
    }

    private void keep(Lease lease, List<RowRef> delivered) {
        boolean owned = trip.run(
                "keep delivered messages of lane " + lease.lane(),
                keep,
                parameters -> {
                    parameters.with(lease.lane()).with(lease.owner()).with(lease.epoch());
                    bind(parameters, delivered);
                },
                results -> {
                    results.next();
                    var row = results.next();
                    return row.next() && row.getBoolean("owned");
                });
        if (!owned) {
            throw new LeaseLostException(lease);
        }
    }

    /** In one order for everybody, so that a relay and the one that took over from it cannot block each other. */
    private static void bind(Parameters parameters, List<RowRef> rows) throws SQLException {
        List<RowRef> sorted = new ArrayList<>(rows);
        sorted.sort(BY_LANE_AND_SEQ);
        parameters
                .withInts(sorted.stream().mapToInt(RowRef::lane).toArray())
                .withLongs(sorted.stream().mapToLong(RowRef::seq).toArray())
                .withIds(sorted);
    }
}
