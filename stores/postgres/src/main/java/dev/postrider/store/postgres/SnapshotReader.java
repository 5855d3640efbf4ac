package dev.postrider.store.postgres;

import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TableNames;
import dev.postrider.store.postgres.SingleRoundTrip.Results;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Runs a query in a transaction of its own and tells in which snapshot it ran.
 *
 * <p>REPEATABLE READ makes the snapshot, the incarnation token and the rows belong together. Thread-safe.
 */
final class SnapshotReader {

    private static final int ATTEMPTS = 3;
    private static final String MODE = "REPEATABLE READ, READ ONLY";

    private static final String MOMENT = """
            , CAST(pg_current_snapshot() AS text) AS snapshot, %s AS token, clock_timestamp() AS time""";

    private final JdbcContext context;
    private final SingleRoundTrip trip;
    private final Incarnation incarnation;
    private final String moment;

    SnapshotReader(JdbcContext context) {
        this.context = context;
        this.trip = new SingleRoundTrip(context);
        this.incarnation = new Incarnation(context);
        this.moment = settings() + MOMENT.formatted(Incarnation.token(context.tables()));
    }

    /**
     * Statistics taken while the table was empty would let the planner read all of it, or sort a whole lane for each page;
     * these settings forbid it until the end of the transaction. Under them a generic plan is as good as any, and planning
     * once is enough.
     */
    static String settings() {
        return """
                SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
                       set_config('enable_sort', 'off', true), set_config('jit', 'off', true),
                       set_config('plan_cache_mode', 'force_generic_plan', true)""";
    }

    /** The purpose is for errors, as in "read new rows". */
    <T> Observed<T> read(String purpose, Query<T> query) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Observed<T>> observed = tryToRead(purpose, query);
            if (observed.isPresent()) {
                return observed.get();
            }
            incarnation.plant();
        }
        throw new StoreException(
                "The relay wrote an incarnation token into %s and cannot find it, so nothing is fetched. Either something else"
                                .formatted(Incarnation.table(context.tables()))
                        + " deletes or updates that row: let nothing but relays write to the table. Or a driver or proxy sets a"
                        + " savepoint before the first statement of a transaction: switch that off for the relay");
    }

    /** Empty when there is no token. */
    private <T> Optional<Observed<T>> tryToRead(String purpose, Query<T> query) {
        try {
            String text = SingleRoundTrip.text(MODE, moment, query.sql());
            return trip.run(purpose, text, query.binding(), results -> observed(results, query));
        } catch (StoreException error) {
            throw isStandby() ? standby(error) : error;
        }
    }

    private static <T> Optional<Observed<T>> observed(Results results, Query<T> query) throws SQLException {
        Optional<Moment> moment = moment(results.next());
        return moment.isEmpty()
                ? Optional.empty()
                : Optional.of(new Observed<>(moment.get(), query.result().map(results.next())));
    }

    private static Optional<Moment> moment(ResultSet row) throws SQLException {
        row.next();
        Snapshot snapshot = Snapshot.of(row.getString("snapshot"));
        OffsetDateTime time = row.getObject("time", OffsetDateTime.class);
        return Optional.ofNullable(row.getString("token")).map(token -> new Moment(snapshot, token, time.toInstant()));
    }

    /** Asked only after an error: the token's table cannot be read on a standby, which already stops everything. */
    private boolean isStandby() {
        try {
            return context.transactions().inTransaction("ask for the server's role", connection -> {
                try (PreparedStatement statement = connection.prepareStatement("SELECT pg_is_in_recovery()");
                        ResultSet row = statement.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            });
        } catch (StoreException unreachable) {
            return false;
        }
    }

    private static StoreException standby(StoreException error) {
        return new StoreException(
                "The data source leads to a standby, whose snapshots do not tell what the primary commits next; point it"
                        + " to the primary, for example with targetServerType=primary",
                error);
    }

    /**
     * A random token in an UNLOGGED table, which the server empties after a crash and on promotion: exactly when it may hand out
     * transaction numbers again that a remembered snapshot takes for finished.
     *
     * <p>A token counts only on the server that wrote it: a dump carries the row to servers with other transaction numbers, where
     * its xmin is no longer that of the transaction that planted it.
     *
     * <p>Aurora keeps UNLOGGED tables over a crash. There the start of the server, and the time at which it last dropped its
     * statistics, which a crash does, belong to the token. Before version 15 a look at the statistics waits for another process,
     * so it is left out.
     */
    private static final class Incarnation {

        private static final String IS_GENUINE = "planted.xmin = CAST(planted.planted_by AS xid)";

        private static final String TOKEN = """
                (SELECT CASE WHEN to_regproc('aurora_version') IS NULL THEN CAST(planted.token AS text)
                             ELSE concat_ws('/', planted.token, extract(epoch FROM pg_postmaster_start_time()),
                                    CASE WHEN CAST(current_setting('server_version_num') AS integer) >= 150000
                                         THEN (SELECT extract(epoch FROM stats_reset) FROM pg_stat_bgwriter) END)
                        END
                 FROM %s planted WHERE %s)""";

        private final SingleRoundTrip trip;
        private final String plant;

        Incarnation(JdbcContext context) {
            this.trip = new SingleRoundTrip(context);
            this.plant = SingleRoundTrip.text("READ COMMITTED", """
                    INSERT INTO %s AS planted (token, planted_by) VALUES (gen_random_uuid(), pg_current_xact_id())
                    ON CONFLICT (only_row) DO UPDATE SET token = excluded.token, planted_by = excluded.planted_by
                    WHERE NOT %s""".formatted(table(context.tables()), IS_GENUINE));
        }

        /** An expression for the token; null when there is none. */
        static String token(TableNames tables) {
            return TOKEN.formatted(table(tables), IS_GENUINE);
        }

        static TableName table(TableNames tables) {
            return tables.named("_incarnation");
        }

        /**
         * Writes a token if there is none; whoever comes first wins. In one trip, as the first of its transaction: behind a savepoint,
         * which a driver may set by itself before any later statement, its xmin would be that of a subtransaction.
         */
        void plant() {
            trip.run("write an incarnation token", plant, parameters -> {}, results -> true);
        }
    }
}
