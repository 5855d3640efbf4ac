package dev.postrider.store.existing;

import java.util.Locale;
import java.util.Set;

/** What a column can hold, as far as it matters how its values are read and compared. */
enum ColumnKind {
    UUID,
    BYTES,
    NUMBER,
    TEXT,
    JSON,
    BOOLEAN,
    /** A moment: the same whatever the zone of the session. */
    MOMENT,
    /** Date and time without zone: the column does not know which moment it means. */
    LOCAL_TIME,
    OTHER;

    private static final Set<String> NUMBERS =
            Set.of("smallint", "integer", "bigint", "int", "mediumint", "tinyint", "bit");
    private static final Set<String> TEXTS = Set.of(
            "text", "character varying", "character", "varchar", "char", "enum", "tinytext", "mediumtext", "longtext");
    private static final Set<String> BYTE_STRINGS =
            Set.of("bytea", "binary", "varbinary", "blob", "tinyblob", "mediumblob", "longblob");

    static ColumnKind of(String dataType) {
        String type = dataType.toLowerCase(Locale.ROOT);
        return switch (type) {
            case "uuid" -> UUID;
            case "boolean" -> BOOLEAN;
            case "json", "jsonb" -> JSON;
            case "timestamp with time zone", "timestamp" -> MOMENT;
            case "timestamp without time zone", "datetime" -> LOCAL_TIME;
            // An enum of PostgreSQL: it takes and gives texts.
            case "user-defined" -> TEXT;
            default -> ofMany(type);
        };
    }

    private static ColumnKind ofMany(String type) {
        if (NUMBERS.contains(type)) {
            return NUMBER;
        }
        if (TEXTS.contains(type)) {
            return TEXT;
        }
        return BYTE_STRINGS.contains(type) ? BYTES : OTHER;
    }
}
