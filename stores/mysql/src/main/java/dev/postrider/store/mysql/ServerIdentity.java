package dev.postrider.store.mysql;

/**
 * SQL that tells which server runs a statement, since when, and what it counts.
 *
 * @param server a text without spaces
 * @param startSeconds seconds since 1970, or NULL where it does not matter; from {@code status}
 * @param lockWaits how many sessions wait for a row lock, or NULL where it is not known; from {@code status}
 * @param lockWaitSeconds after which a wait ends, or NULL
 * @param status what to read the two from, or nothing
 * @param readOnly 1 where writes are refused, else 0
 */
record ServerIdentity(
        String server, String startSeconds, String lockWaits, String lockWaitSeconds, String status, String readOnly) {

    /** Both terms are whole seconds of the same clock, taken at the start of the same statement. */
    private static final String STARTED_AT = "UNIX_TIMESTAMP() - CAST(s.uptime AS SIGNED)";

    private static final String LOCK_WAIT_SECONDS = "@@GLOBAL.innodb_lock_wait_timeout";

    static ServerIdentity of(Flavor flavor) {
        return switch (flavor) {
            case MYSQL ->
                new ServerIdentity(
                        "CONCAT(@@server_uuid, '@', @@hostname, ':', @@port)",
                        STARTED_AT,
                        "s.lock_waits",
                        LOCK_WAIT_SECONDS,
                        // Works with the performance schema switched off, too.
                        status("performance_schema.global_status"),
                        "@@GLOBAL.read_only <> 0");
            case MARIADB ->
                // It has no UUID of a server.
                new ServerIdentity(
                        "CONCAT(@@server_id, '@', @@hostname, ':', @@port)",
                        STARTED_AT,
                        "s.lock_waits",
                        LOCK_WAIT_SECONDS,
                        status("information_schema.GLOBAL_STATUS"),
                        "@@GLOBAL.read_only NOT IN ('0', 'OFF')");
            // A cluster: what it has committed outlives the servers that run statements.
            case TIDB -> new ServerIdentity("'tidb'", "0", "NULL", "NULL", "", "@@GLOBAL.tidb_super_read_only <> 0");
        };
    }

    /** One read for both: the server adds up counters of all its sessions each time. */
    private static String status(String table) {
        return """
                 FROM (SELECT MAX(CASE g.VARIABLE_NAME WHEN 'Uptime' THEN g.VARIABLE_VALUE END) AS uptime,
                              MAX(CASE g.VARIABLE_NAME WHEN 'Innodb_row_lock_current_waits' THEN g.VARIABLE_VALUE END) AS lock_waits
                       FROM %s g WHERE g.VARIABLE_NAME IN ('Uptime', 'Innodb_row_lock_current_waits')) s""".formatted(table);
    }
}
