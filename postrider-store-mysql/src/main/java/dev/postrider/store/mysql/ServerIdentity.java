package dev.postrider.store.mysql;

/**
 * SQL expressions that tell which server runs a statement, and since when.
 *
 * @param server a text without spaces
 * @param startSeconds seconds since 1970, or NULL where it does not matter
 * @param readOnly 1 where writes are refused, else 0
 */
record ServerIdentity(String server, String startSeconds, String readOnly) {

    static ServerIdentity of(Flavor flavor) {
        return switch (flavor) {
            case MYSQL ->
                new ServerIdentity(
                        "CONCAT(@@server_uuid, '@', @@hostname, ':', @@port)",
                        // Works with the performance schema switched off, too.
                        startedAt("performance_schema.global_status"),
                        "@@GLOBAL.read_only <> 0");
            case MARIADB ->
                // It has no UUID of a server.
                new ServerIdentity(
                        "CONCAT(@@server_id, '@', @@hostname, ':', @@port)",
                        startedAt("information_schema.GLOBAL_STATUS"),
                        "@@GLOBAL.read_only NOT IN ('0', 'OFF')");
            // Read from the head: nothing is remembered that a restart could make wrong.
            case TIDB -> new ServerIdentity("'tidb'", "0", "0");
        };
    }

    /** Both terms are whole seconds of the same clock, taken at the start of the same statement. */
    private static String startedAt(String globalStatus) {
        return "(SELECT UNIX_TIMESTAMP() - CAST(s.VARIABLE_VALUE AS SIGNED) FROM %s s WHERE s.VARIABLE_NAME = 'Uptime')"
                .formatted(globalStatus);
    }
}
