package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.TableNames;

/**
 * The statements of the scan, each written out whole. Each runs inside a {@link SnapshotReader}, which fixes its snapshot and its plan.
 *
 * <p>Those that read rows share one shape: find at most one row more than wanted, add up payload lengths in the order of delivery, and let
 * payloads leave the server only for rows that fit. A value that was stored out of line stays there until the last step.
 * Snapshots stand in sub-selects, which run once; as plain parameters they would be parsed for every row.
 *
 * <p>In braces: {@code {hot}} and {@code {held}} are tables, {@code {columns}} are those of a message in {@code r}, and
 * {@code {payload_bytes}} is the length of the payload in {@code o}, zero if it is over the limit and never read.
 *
 * <p>Whether a key is held is looked up row by row, each in an index: about half a microsecond when nothing is held, and no slower when
 * thousands of dead rows are left behind by keys that were held before. By the key alone, which determines the lane: only one index fits
 * then. Not EXISTS, which the server might answer by reading all keys there are. And only if the table has a page at all: without one it has
 * no row that any snapshot could see, since vacuum keeps the pages of those that one can. Asked once, that spares a quarter of the time for
 * a page.
 */
final class ScanSql {

    /**
     * Two branches, so that both are ranges of the index (lane, tx): rows of transactions at or beyond the xmax of a lane's earlier snapshot,
     * and those of transactions that ran then and are over now. A transaction that is still open is not looked at, however many rows it has
     * written. Never {@code tx < xmin}, which would stop at any open transaction, and never in the order of tx, which is not the order of a
     * key. The cast of lane is that of the index: no other one can serve, not even in a plan that was made and kept when the table was empty.
     */
    private static final String DIFFERENCE = """
            SELECT {columns}, r.fits,
                   CASE WHEN r.message_key IS NULL OR NOT r.fits THEN false
                        WHEN (SELECT pg_relation_size(CAST('{held}' AS regclass)) > 0)
                        THEN COALESCE((SELECT true FROM {held} h WHERE h.message_key = r.message_key LIMIT 1), false)
                        ELSE false END AS key_held
            FROM (
              SELECT f.lane, f.seq, f.id, f.foreign_id, f.topic, f.message_key, f.type, f.content_type, f.created_at, f.fits,
                     CASE WHEN f.fits THEN f.payload END AS payload, CASE WHEN f.fits THEN f.headers END AS headers
              FROM (
                SELECT o.*,
                       count(*) OVER () <= ?
                       AND (row_number() OVER w = 1 AND ? OR sum({payload_bytes}) OVER w <= ?) AS fits
                FROM (
                  SELECT o.*
                  FROM unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS bigint[])) AS l (lane, since, up_to)
                  CROSS JOIN LATERAL (
                    SELECT n.* FROM {hot} n
                    WHERE CAST(n.lane AS bigint) = l.lane
                      AND n.tx >= pg_snapshot_xmax(CAST(l.since AS pg_snapshot))
                      AND n.tx < (SELECT pg_snapshot_xmax(pg_current_snapshot()))
                      AND n.seq <= l.up_to
                    UNION ALL
                    SELECT n.* FROM {hot} n
                    WHERE CAST(n.lane AS bigint) = l.lane
                      AND n.tx = ANY (ARRAY(
                            SELECT x FROM pg_snapshot_xip(CAST(l.since AS pg_snapshot)) x
                            WHERE pg_visible_in_snapshot(x, (SELECT pg_current_snapshot()))))
                      AND n.seq <= l.up_to
                  ) o
                  WHERE o.topic <> ALL (CAST(? AS text[]))
                  LIMIT ?
                ) o
                WINDOW w AS (ORDER BY o.lane, o.seq ROWS UNBOUNDED PRECEDING)
              ) f
            ) r
            ORDER BY r.lane, r.seq""";

    /** The same two branches as above. */
    private static final String LOWEST_OF_DIFFERENCE = """
            SELECT o.lane, min(o.seq) AS seq
            FROM unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS bigint[])) AS l (lane, since, up_to)
            CROSS JOIN LATERAL (
              SELECT n.* FROM {hot} n
              WHERE CAST(n.lane AS bigint) = l.lane
                AND n.tx >= pg_snapshot_xmax(CAST(l.since AS pg_snapshot))
                AND n.tx < (SELECT pg_snapshot_xmax(pg_current_snapshot()))
                AND n.seq <= l.up_to
              UNION ALL
              SELECT n.* FROM {hot} n
              WHERE CAST(n.lane AS bigint) = l.lane
                AND n.tx = ANY (ARRAY(
                      SELECT x FROM pg_snapshot_xip(CAST(l.since AS pg_snapshot)) x
                      WHERE pg_visible_in_snapshot(x, (SELECT pg_current_snapshot()))))
                AND n.seq <= l.up_to
            ) o
            WHERE o.topic <> ALL (CAST(? AS text[]))
            GROUP BY o.lane""";

    /**
     * Index: the primary key (lane, seq), in its order, so that a page costs the same at any backlog. Lanes lie mixed in the table: read
     * together, their next rows are on the same pages, and so are the rows deleted together later. A transaction number that no transaction
     * can have yet marks a row that was copied from another server by a dump or by replication; its true transaction is over, or the row
     * could not be seen. In braces beside the usual: {@code {fits}}, whether a row comes with its content, and {@code {window}}, what it adds
     * up.
     */
    private static final String PAGES = """
            SELECT {columns}, r.fits,
                   CASE WHEN r.message_key IS NULL OR NOT r.fits THEN false
                        WHEN (SELECT pg_relation_size(CAST('{held}' AS regclass)) > 0)
                        THEN COALESCE((SELECT true FROM {held} h WHERE h.message_key = r.message_key LIMIT 1), false)
                        ELSE false END AS key_held
            FROM unnest(CAST(? AS integer[]), CAST(? AS bigint[]), CAST(CAST(? AS text[]) AS pg_snapshot[]),
                        CAST(CAST(? AS text[]) AS pg_snapshot[])) AS l (lane, first_seq, seen_in, not_in)
            CROSS JOIN LATERAL (
              SELECT f.lane, f.seq, f.id, f.foreign_id, f.topic, f.message_key, f.type, f.content_type, f.created_at, f.fits,
                     CASE WHEN f.fits THEN f.payload END AS payload, CASE WHEN f.fits THEN f.headers END AS headers
              FROM (
                SELECT o.*, {fits} AS fits
                FROM (
                  SELECT o.* FROM {hot} o
                  WHERE o.lane = l.lane AND o.seq >= l.first_seq
                    AND (pg_visible_in_snapshot(o.tx, coalesce(l.seen_in, (SELECT pg_current_snapshot())))
                         OR o.tx >= (SELECT pg_snapshot_xmax(pg_current_snapshot())))
                    AND pg_visible_in_snapshot(o.tx, l.not_in) IS NOT TRUE
                    AND o.seq <> ALL (CAST(? AS bigint[]))
                    AND o.topic <> ALL (CAST(? AS text[]))
                  ORDER BY o.seq
                  LIMIT ?
                ) o{window}
              ) f
            ) r""";

    private static final String SWEEP = """
            SELECT o.seq FROM {hot} o
            WHERE o.lane = ?
              AND (pg_visible_in_snapshot(o.tx, (SELECT CAST(? AS pg_snapshot)))
                   AND (pg_visible_in_snapshot(o.tx, (SELECT CAST(? AS pg_snapshot))) AND o.seq <= ?
                        OR pg_visible_in_snapshot(o.tx, (SELECT CAST(? AS pg_snapshot))))
                   OR o.tx >= (SELECT pg_snapshot_xmax(pg_current_snapshot())))
              AND o.topic <> ALL (CAST(? AS text[]))
            ORDER BY o.seq
            LIMIT ?""";

    private final TableNames tables;
    private final MessageReader messages;

    ScanSql(TableNames tables, MessageReader messages) {
        this.tables = tables;
        this.messages = messages;
    }

    /**
     * What became visible to several lanes since the snapshot of each; parameters: limit, even one, bytes, lanes, snapshots,
     * highest seqs, excluded topics, limit + 1. All or nothing: with more rows than the limit, none has its content.
     */
    String difference() {
        return filled(DIFFERENCE);
    }

    /** The lowest new seq of each lane that has any; parameters: lanes, snapshots, highest seqs, excluded topics. */
    String lowestOfDifference() {
        return filled(LOWEST_OF_DIFFERENCE);
    }

    /**
     * The next rows of several lanes by seq, each as seen in one snapshot and within its share; parameters: lanes, first
     * seqs, snapshots (null: the present one), snapshots whose rows are left out (null: none), limit, even one, bytes, known
     * seqs, excluded topics, limit + 1.
     */
    String pages() {
        return filled(PAGES.replace(
                        "{fits}",
                        "row_number() OVER w <= ? AND (row_number() OVER w = 1 AND ? OR sum({payload_bytes}) OVER w <= ?)")
                .replace("{window}", " WINDOW w AS (ORDER BY o.seq ROWS UNBOUNDED PRECEDING)"));
    }

    /**
     * The same for rows that are all small: content comes with each that has no more than its part of the bytes, also behind
     * one that has more; parameters: as above up to the snapshots, bytes of one row, known seqs, excluded topics, limit + 1.
     * Without adding up, which would copy all rows once more and took a third of the server's time for a page.
     */
    String pagesOfSmallRows() {
        return filled(PAGES.replace("{fits}", "{payload_bytes} <= ?").replace("{window}", ""));
    }

    /**
     * Seqs only: rows visible in both of two snapshots and up to a seq, or in a third; parameters: lane, old
     * snapshot, snapshot, highest seq, third snapshot (null: none), excluded topics, limit. Index: primary key. And rows
     * that were copied from another server past the trigger, which no difference finds: nobody knows how old they are.
     */
    String sweep() {
        return filled(SWEEP);
    }

    private String filled(String statement) {
        return statement
                .replace("{columns}", messages.columns("r"))
                .replace("{payload_bytes}", messages.payloadBytes("o"))
                .replace("{hot}", tables.hot().toString())
                .replace("{held}", tables.held().toString());
    }
}
