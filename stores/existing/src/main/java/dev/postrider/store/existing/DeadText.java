package dev.postrider.store.existing;

import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/** What is written down of a message that was given up: a table has no column for the reason. */
final class DeadText {

    private static final String UNREADABLE = "unreadable: ";
    private static final String REJECTED = "rejected: ";

    /** The reason of a row without an error, as SQL. */
    static final String NO_ERROR = "'%s'".formatted(DeadReason.ATTEMPTS_EXHAUSTED);

    private DeadText() {}

    static String of(RowOutcome.Dead dead) {
        return switch (dead.reason()) {
            case UNREADABLE -> UNREADABLE + dead.error();
            case REJECTED -> REJECTED + dead.error();
            case ATTEMPTS_EXHAUSTED, OTHER -> dead.error();
        };
    }

    static DeadReason reasonOf(String text) {
        if (text.startsWith(UNREADABLE)) {
            return DeadReason.UNREADABLE;
        }
        return text.startsWith(REJECTED) ? DeadReason.REJECTED : DeadReason.ATTEMPTS_EXHAUSTED;
    }

    /** The same as SQL. */
    static String reasonOfColumn(String column) {
        return "CASE WHEN %1$s LIKE '%2$s%%' THEN '%3$s' WHEN %1$s LIKE '%4$s%%' THEN '%5$s' ELSE %6$s END"
                .formatted(column, UNREADABLE, DeadReason.UNREADABLE, REJECTED, DeadReason.REJECTED, NO_ERROR);
    }

    /** Counts what a statement returns in its column {@code reason}; stops at {@code atMost} rows. */
    static Map<DeadReason, Long> count(Connection connection, String reasons, int atMost) throws SQLException {
        Map<DeadReason, Long> counts = new EnumMap<>(DeadReason.class);
        Sql.of(
                        "SELECT reason, COUNT(*) AS letters FROM (SELECT reason FROM (%s) d LIMIT ?) r GROUP BY reason"
                                .formatted(reasons),
                        atMost)
                .list(
                        connection,
                        row -> counts.put(DeadReason.valueOf(row.getString("reason")), row.getLong("letters")));
        return counts;
    }
}
