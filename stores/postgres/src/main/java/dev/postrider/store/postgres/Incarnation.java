package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TableNames;

/**
 * A random token in an UNLOGGED table, which the server empties after a crash and on promotion: exactly when it may hand out
 * transaction numbers again that a remembered snapshot takes for finished.
 *
 * <p>A token counts only on the server that wrote it: a dump carries the row to servers with other transaction numbers, where
 * its xmin is no longer that of the transaction that planted it.
 */
final class Incarnation {

    private static final String IS_GENUINE = "planted.xmin = CAST(planted.planted_by AS xid)";

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
        return "(SELECT planted.token FROM %s planted WHERE %s)".formatted(table(tables), IS_GENUINE);
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
