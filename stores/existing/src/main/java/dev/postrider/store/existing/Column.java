package dev.postrider.store.existing;

import dev.postrider.internal.StoredText;

/**
 * A column as it really is.
 *
 * @param sql quoted
 * @param type as the database describes it
 * @param isFilled whether it has a value of its own where an insert gives none
 * @param isUnicode whether a text can hold all characters
 * @param maxLength in characters, of a text
 */
record Column(
        String name,
        String sql,
        ColumnKind kind,
        String type,
        boolean isNullable,
        boolean isGenerated,
        boolean isFilled,
        boolean isUnicode,
        int maxLength,
        boolean isLocalTimeUtc,
        Database database) {

    private static final int SMALL_JSON = 10_000;

    /** Qualified by the alias of its table, if there is one. */
    String of(String alias) {
        return alias.isEmpty() ? sql : alias + "." + sql;
    }

    /** The present in the form of this column, by the database's clock, at the start of the statement. */
    String now() {
        if (database.isPostgres()) {
            return kind == ColumnKind.MOMENT ? "statement_timestamp()" : localNow("statement_timestamp()");
        }
        return isUtc() ? "UTC_TIMESTAMP(6)" : "NOW(6)";
    }

    /** The present in whole seconds, which a column of any precision keeps as they are. */
    String nowInSeconds() {
        if (database.isPostgres()) {
            String seconds = "date_trunc('second', statement_timestamp())";
            return kind == ColumnKind.MOMENT ? seconds : localNow(seconds);
        }
        return isUtc() ? "UTC_TIMESTAMP()" : "NOW()";
    }

    private String localNow(String moment) {
        return isLocalTimeUtc ? "(%s AT TIME ZONE 'UTC')".formatted(moment) : "(%s)::timestamp".formatted(moment);
    }

    private boolean isUtc() {
        return kind == ColumnKind.LOCAL_TIME && isLocalTimeUtc;
    }

    /** The present plus a parameter in microseconds. */
    String nowPlusMicros() {
        return database.isPostgres()
                ? "(%s + ? * INTERVAL '1 microsecond')".formatted(now())
                : "DATE_ADD(%s, INTERVAL ? MICROSECOND)".formatted(now());
    }

    /** A moment that does not come, as far ahead as the column can hold. */
    String never() {
        return literal(isShortLived() ? "2037-12-31 00:00:00" : "9999-12-31 00:00:00");
    }

    /** Whether the value is {@link #never}, whichever zone the session had that wrote it. */
    String isNever(String alias) {
        return "%s >= %s".formatted(of(alias), literal(isShortLived() ? "2037-12-01 00:00:00" : "9999-12-01 00:00:00"));
    }

    /** MySQL and MariaDB hold moments in 32 bits. */
    private boolean isShortLived() {
        return kind == ColumnKind.MOMENT && !database.isPostgres();
    }

    private String literal(String time) {
        return database.isPostgres() && kind == ColumnKind.MOMENT
                ? "TIMESTAMPTZ '%s+00'".formatted(time)
                : "TIMESTAMP '%s'".formatted(time);
    }

    /** The present plus a parameter in whole seconds, as a text that {@link #fromText} takes back exactly. */
    String nowPlusSecondsAsText() {
        return database.isPostgres()
                ? "CAST(%s + ? * INTERVAL '1 second' AS text)".formatted(nowInSeconds())
                : "CAST(DATE_ADD(%s, INTERVAL ? SECOND) AS CHAR)".formatted(nowInSeconds());
    }

    /** A parameter made by {@link #nowPlusSecondsAsText}. */
    String fromText() {
        if (database.isPostgres()) {
            return kind == ColumnKind.MOMENT ? "CAST(? AS timestamptz)" : "CAST(? AS timestamp)";
        }
        return "CAST(? AS DATETIME)";
    }

    /**
     * Microseconds from the value of the column to now; NULL for an infinite time, which would make the whole statement fail, and for
     * one that is no time.
     */
    String ageInMicros(String expression) {
        return database.isPostgres()
                ? "CASE WHEN isfinite(%2$s) THEN CAST(EXTRACT(EPOCH FROM (%1$s - %2$s)) * 1000000 AS bigint) END"
                        .formatted(now(), expression)
                : "TIMESTAMPDIFF(MICROSECOND, %s, %s)".formatted(expression, now());
    }

    /** A text as the column can hold it: a character too many would undo the whole settlement. */
    String fitted(String text) {
        boolean countsBytes = type.equals("tinytext");
        String known = isUnicode ? text : text.replaceAll("[^\\x00-\\x7F]", "?");
        return StoredText.of(known, Math.min(1024, countsBytes ? maxLength / 4 : maxLength));
    }

    /** What a select reads to get this column as a text or as bytes. */
    String readable(String alias) {
        boolean isText = kind == ColumnKind.JSON || kind == ColumnKind.OTHER;
        return isText && database.isPostgres() ? "%s::text".formatted(of(alias)) : of(alias);
    }

    /** The number of bytes that {@link #readable} gives; roughly where it is small and would have to be written out to be counted. */
    String length(String alias) {
        return kind == ColumnKind.JSON
                ? jsonLength(database, readable(alias))
                : "OCTET_LENGTH(%s)".formatted(readable(alias));
    }

    /** The same of a value of type JSON. */
    static String jsonLength(Database database, String sql) {
        return database == Database.MYSQL
                ? "IF(JSON_STORAGE_SIZE(%1$s) < %2$d, JSON_STORAGE_SIZE(%1$s), OCTET_LENGTH(%1$s))"
                        .formatted(sql, SMALL_JSON)
                : "OCTET_LENGTH(%s)".formatted(sql);
    }
}
