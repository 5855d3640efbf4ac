package dev.postrider.store.existing;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a column means. */
public enum Role {
    /** The primary key. */
    ID,
    /** The id of the event, where it is another than the primary key. */
    MESSAGE_ID,
    /** What the message is about; becomes the header {@code aggregatetype}. */
    AGGREGATE_TYPE,
    /** The entity that the message belongs to. */
    KEY,
    /** The bytes of the message. */
    PAYLOAD,
    /** A JSON object; each member becomes a header. */
    HEADERS,
    /** Says how far the row is. */
    STATUS,
    /** How many attempts have failed. */
    ATTEMPTS,
    /** What went wrong last. */
    LAST_ERROR,
    /** When the row was written. */
    CREATED,
    /** When it was delivered; without status column a row is undelivered while it is NULL. */
    DELIVERED,
    /** When it may be tried again. Without CLAIMED_UNTIL it is also the end of a claim. */
    NEXT_ATTEMPT,
    /** When it was tried last; retries wait for {@link TableMapping.Builder#retryDelay} from then, if there is no NEXT_ATTEMPT. */
    LAST_ATTEMPT,
    /** Until when a relay has claimed the row. */
    CLAIMED_UNTIL,
    /** The range partitions of the table go by this column: seconds since 1970. */
    PARTITION;

    Set<ColumnKind> kinds() {
        return switch (this) {
            case ID, MESSAGE_ID -> EnumSet.of(ColumnKind.UUID, ColumnKind.BYTES, ColumnKind.NUMBER, ColumnKind.TEXT);
            case KEY -> EnumSet.of(ColumnKind.UUID, ColumnKind.NUMBER, ColumnKind.TEXT);
            case PAYLOAD -> EnumSet.of(ColumnKind.BYTES, ColumnKind.TEXT, ColumnKind.JSON);
            case HEADERS -> EnumSet.of(ColumnKind.TEXT, ColumnKind.JSON);
            case STATUS -> EnumSet.of(ColumnKind.TEXT, ColumnKind.NUMBER, ColumnKind.BOOLEAN);
            case ATTEMPTS, PARTITION -> EnumSet.of(ColumnKind.NUMBER);
            case AGGREGATE_TYPE, LAST_ERROR -> EnumSet.of(ColumnKind.TEXT);
            case CREATED, DELIVERED, NEXT_ATTEMPT, LAST_ATTEMPT, CLAIMED_UNTIL ->
                EnumSet.of(ColumnKind.MOMENT, ColumnKind.LOCAL_TIME);
        };
    }

    /** As it is called in reports and in configuration files. */
    String option() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
