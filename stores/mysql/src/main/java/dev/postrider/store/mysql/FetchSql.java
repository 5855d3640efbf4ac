package dev.postrider.store.mysql;

import static java.util.Objects.requireNonNull;

import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.SqlList;
import dev.postrider.store.jdbc.TableNames;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The statements of a fetch, each written out whole. Lines with {@code --} explain and are not sent. In braces:
 *
 * <ul>
 *   <li>{@code {hot}} and {@code {held}} are tables, {@code {held_by_key}} is an index;
 *   <li>{@code {server}}, {@code {read_only}} and {@code {global_status}} differ between MySQL, MariaDB and TiDB;
 *   <li>{@code {lanes}}, {@code {topics}}, {@code {ranges}} and {@code {seqs}} are parameters: a line is left out where there are none;
 *   <li>{@code {inline_bytes}} is the largest size of a row that is read with its content.
 * </ul>
 */
final class FetchSql {

    /** In place of a lane, in the row that tells about the server. */
    static final int SERVER_ROW = -1;

    /**
     * One statement, hence one snapshot. Each part begins with its name; one that a fetch does not need is left out. Every read
     * names its index: a planner that believes the table to be empty would read it whole. None of them locks anything.
     */
    private static final String PAGE = """
            -- server_with_start: which server answers, since when it runs, and how many of its sessions wait for a row lock, in the
            -- columns of a message. Both terms of the start are whole seconds of one clock, taken at the start of one statement. One read
            -- for both counters: the server adds up those of all its sessions each time.
            SELECT -1 AS lane, UNIX_TIMESTAMP() - CAST(s.uptime AS SIGNED) AS seq, NULL AS id, NULL AS topic, {server} AS message_key,
                   s.lock_waits AS type, NULL AS content_type, UTC_TIMESTAMP(6) AS created_at,
                   @@GLOBAL.innodb_lock_wait_timeout AS payload_bytes, NULL AS payload, NULL AS headers_bytes, NULL AS headers,
                   NULL AS foreign_id, {read_only} AS complete, NULL AS key_held
            FROM (SELECT MAX(CASE g.VARIABLE_NAME WHEN 'Uptime' THEN g.VARIABLE_VALUE END) AS uptime,
                         MAX(CASE g.VARIABLE_NAME WHEN 'Innodb_row_lock_current_waits' THEN g.VARIABLE_VALUE END) AS lock_waits
                  FROM {global_status} g WHERE g.VARIABLE_NAME IN ('Uptime', 'Innodb_row_lock_current_waits')) s
            -- server: the same in most fetches, without what costs time; {start} is NULL.
            -- For TiDB always: it is a cluster, and what it has committed outlives the servers that run statements, so {start} is 0.
            SELECT -1 AS lane, {start} AS seq, NULL AS id, NULL AS topic, {server} AS message_key,
                   NULL AS type, NULL AS content_type, UTC_TIMESTAMP(6) AS created_at,
                   NULL AS payload_bytes, NULL AS payload, NULL AS headers_bytes, NULL AS headers,
                   NULL AS foreign_id, {read_only} AS complete, NULL AS key_held
            -- alone: seqs among numbers far below, whose rows may still commit.
            UNION ALL
            (SELECT n.lane, n.seq, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {hot} n FORCE INDEX (PRIMARY)
             WHERE ({ranges})
               AND n.lane IN ({lanes})
               AND n.topic NOT IN ({topics})
             ORDER BY n.seq LIMIT ?)
            -- known: seqs up to the highest one that the relay knows. Most are in its memory; late commits among them are rare.
            UNION ALL
            (SELECT n.lane, n.seq, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {hot} n FORCE INDEX (PRIMARY)
             WHERE n.seq > ? AND n.seq <= ?
               AND n.lane IN ({lanes})
               AND n.topic NOT IN ({topics})
             ORDER BY n.seq LIMIT ?)
            -- above: the next rows. Headers and payload only of small ones: the relay must know the size of a large one before it reads it.
            -- created_at: a session without strict mode may have written zeros or a 31st of February, which no driver reads.
            UNION ALL
            (SELECT h.lane, h.seq, h.id, h.topic, h.message_key, h.type, h.content_type,
                    CASE WHEN h.created_at >= '1000-01-01' AND MONTH(h.created_at) > 0
                              AND DAYOFMONTH(h.created_at) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(h.created_at)) THEN h.created_at
                         ELSE TIMESTAMP '1970-01-01 00:00:00' END AS created_at,
                    OCTET_LENGTH(h.payload) AS payload_bytes,
                    CASE WHEN OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= {inline_bytes} THEN h.payload END AS payload,
                    OCTET_LENGTH(h.headers) AS headers_bytes,
                    CASE WHEN OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= {inline_bytes} THEN h.headers END AS headers,
                    h.foreign_id,
                    OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= {inline_bytes} AS complete,
                    EXISTS (SELECT 1 FROM {held} d FORCE INDEX ({held_by_key})
                            WHERE d.lane = h.lane AND d.message_key = h.message_key) AS key_held
             FROM {hot} h FORCE INDEX (PRIMARY)
             WHERE h.seq > ?
               AND h.lane IN ({lanes})
               AND h.topic NOT IN ({topics})
             ORDER BY h.seq LIMIT ?)
            """;

    /** Rows of which the page has told the seq only, with the columns of those above. Rows never change, so a later snapshot is as good. */
    private static final String ROWS = """
            SELECT h.lane, h.seq, h.id, h.topic, h.message_key, h.type, h.content_type,
                   CASE WHEN h.created_at >= '1000-01-01' AND MONTH(h.created_at) > 0
                             AND DAYOFMONTH(h.created_at) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(h.created_at)) THEN h.created_at
                        ELSE TIMESTAMP '1970-01-01 00:00:00' END AS created_at,
                   OCTET_LENGTH(h.payload) AS payload_bytes,
                   CASE WHEN OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= {inline_bytes} THEN h.payload END AS payload,
                   OCTET_LENGTH(h.headers) AS headers_bytes,
                   CASE WHEN OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= {inline_bytes} THEN h.headers END AS headers,
                   h.foreign_id,
                   OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= {inline_bytes} AS complete,
                   EXISTS (SELECT 1 FROM {held} d FORCE INDEX ({held_by_key})
                           WHERE d.lane = h.lane AND d.message_key = h.message_key) AS key_held
            FROM {hot} h FORCE INDEX (PRIMARY)
            WHERE h.seq IN ({seqs})
            ORDER BY h.seq
            """;

    /** Rows that were too large for the page; {@code {columns}} are those of a message, with its content unless that is over the limits. */
    private static final String CONTENTS = """
            SELECT {columns},
                   EXISTS (SELECT 1 FROM {held} d FORCE INDEX ({held_by_key})
                           WHERE d.lane = h.lane AND d.message_key = h.message_key) AS key_held
            FROM {hot} h FORCE INDEX (PRIMARY)
            WHERE h.seq IN ({seqs})
            ORDER BY h.seq
            """;

    /** Its name, what explains it, and its lines. */
    private static final Pattern PART = Pattern.compile("(?m)^-- (\\w+): .*\\n(?:-- .*\\n)*((?:(?!-- ).*\\n)+)");

    private final Flavor flavor;
    private final Map<String, String> parts;
    private final String rows;
    private final String contents;

    FetchSql(JdbcContext context, MessageReader reader, Flavor flavor) {
        this.flavor = flavor;
        String page = named(PAGE, context)
                .replace("{server}", server(flavor))
                .replace("{read_only}", readOnly(flavor))
                .replace("{global_status}", globalStatus(flavor));
        this.parts =
                PART.matcher(page).results().collect(Collectors.toMap(part -> part.group(1), part -> part.group(2)));
        this.rows = named(ROWS, context);
        this.contents = named(CONTENTS, context).replace("{columns}", reader.columns("h"));
    }

    private static String named(String sql, JdbcContext context) {
        TableNames tables = context.tables();
        return sql.replace("{hot}", tables.hot().toString())
                .replace("{held}", tables.held().toString())
                .replace(
                        "{held_by_key}",
                        context.dialect().quote(tables.named("_held_by_key").name()));
    }

    /** A text without spaces. MariaDB has no UUID of a server. */
    private static String server(Flavor flavor) {
        return switch (flavor) {
            case MYSQL -> "CONCAT(@@server_uuid, '@', @@hostname, ':', @@port)";
            case MARIADB -> "CONCAT(@@server_id, '@', @@hostname, ':', @@port)";
            case TIDB -> "'tidb'";
        };
    }

    private static String readOnly(Flavor flavor) {
        return switch (flavor) {
            case MYSQL -> "@@GLOBAL.read_only <> 0";
            case MARIADB -> "@@GLOBAL.read_only NOT IN ('0', 'OFF')";
            case TIDB -> "@@GLOBAL.tidb_super_read_only <> 0";
        };
    }

    /** MySQL's works with the performance schema switched off, too. */
    private static String globalStatus(Flavor flavor) {
        return flavor == Flavor.MARIADB ? "information_schema.GLOBAL_STATUS" : "performance_schema.global_status";
    }

    /** The first part alone: what the server says about itself. */
    String server(boolean withStart) {
        if (withStart && flavor != Flavor.TIDB) {
            return part("server_with_start");
        }
        return part("server").replace("{start}", withStart ? "0" : "NULL");
    }

    /** Parameters: those of {@code alone} and {@code known}, if they are there, and of {@code above}, in the order of their question marks. */
    String page(PageRequest request) {
        StringBuilder sql = new StringBuilder(server(request.asksForStart()));
        if (!request.alone().isEmpty()) {
            sql.append(part("alone").replace("{ranges}", ranges(request.alone())));
        }
        if (request.knownUpTo() > request.after()) {
            sql.append(part("known"));
        }
        sql.append(part("above").replace("{inline_bytes}", String.valueOf(request.inlineBytes())));
        Selection selection = request.selection();
        String ofLanes = withList(
                sql.toString(),
                "{lanes}",
                selection.allLanes() ? 0 : selection.lanes().size());
        return withList(ofLanes, "{topics}", selection.excludedTopics().size());
    }

    private String part(String name) {
        return requireNonNull(parts.get(name), name);
    }

    String rows(int count, long inlineBytes) {
        return withList(rows, "{seqs}", count).replace("{inline_bytes}", String.valueOf(inlineBytes));
    }

    String contents(int count) {
        return withList(contents, "{seqs}", count);
    }

    static String ranges(List<NumberRange> ranges) {
        return String.join(" OR ", Collections.nCopies(ranges.size(), "n.seq BETWEEN ? AND ?"));
    }

    private static String withList(String sql, String name, int count) {
        return count == 0
                ? sql.lines().filter(line -> !line.contains(name)).collect(Collectors.joining("\n"))
                : sql.replace(name, SqlList.of("?", count));
    }
}
