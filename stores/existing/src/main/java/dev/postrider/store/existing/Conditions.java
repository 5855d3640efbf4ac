package dev.postrider.store.existing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is true of a row, as SQL over its columns. Literals only, so that partial indexes are of use. */
final class Conditions {

    /** True of no row. */
    static final String NEVER = "1 = 0";

    private final TableColumns columns;

    Conditions(TableColumns columns) {
        this.columns = columns;
    }

    /** Neither delivered nor given up. */
    String alive(String alias) {
        return undelivered(alias) + belowLimit(alias);
    }

    /** The same as alternatives that exclude each other: one for each status that an undelivered row can have. */
    List<String> aliveByStatus(String alias) {
        return columns.mapping()
                .status
                .map(values -> open(values).stream()
                        .map(value -> "%s = %s%s".formatted(status(alias), value, belowLimit(alias)))
                        .toList())
                .orElseGet(() -> List.of(alive(alias)));
    }

    /** Where rows are that were tried and not delivered: not among those of a status that a row leaves with its first attempt. */
    List<String> triedByStatus(String alias) {
        return columns.mapping()
                .status
                .map(values -> open(values).stream()
                        .filter(value -> !isUntried(values, value))
                        .map(value -> "%s = %s".formatted(status(alias), value))
                        .toList())
                .orElseGet(() -> List.of(undelivered(alias)));
    }

    /** Where all others are that are neither delivered nor given up. */
    List<String> untriedByStatus(String alias) {
        return columns.mapping()
                .status
                .map(values -> open(values).stream()
                        .filter(value -> isUntried(values, value))
                        .map(value -> "%s = %s%s".formatted(status(alias), value, belowLimit(alias)))
                        .toList())
                .orElse(List.of());
    }

    private boolean isUntried(StatusValues values, String value) {
        return values.retry().isPresent() && value.equals(columns.status(values.pending()));
    }

    /** Whether rows that were given up stay among the others, and only their attempts tell. */
    boolean isDeadByAttempts() {
        return columns.mapping().deadTable.isEmpty()
                && columns.mapping().status.flatMap(StatusValues::dead).isEmpty()
                && columns.mapping().deadAtAttempts().isPresent();
    }

    private String belowLimit(String alias) {
        return columns.mapping()
                .deadAtAttempts()
                .map(attempts -> " AND %s < %d".formatted(attempts(alias), attempts))
                .orElse("");
    }

    /** Not delivered; where {@link #isDeadByAttempts}, perhaps given up. */
    String undelivered(String alias) {
        return columns.mapping()
                .status
                .map(values -> "%s IN (%s)".formatted(status(alias), String.join(", ", open(values))))
                .or(() -> columns.find(Role.DELIVERED).map(column -> column.of(alias) + " IS NULL"))
                .orElse("1 = 1");
    }

    private List<String> open(StatusValues values) {
        return Stream.of(Optional.of(values.pending()), values.retry(), values.sending())
                .flatMap(Optional::stream)
                .distinct()
                .map(columns::status)
                .toList();
    }

    /** May be tried now: neither waiting for its retry, nor claimed. */
    String due(String alias) {
        List<String> all = new ArrayList<>();
        columns.find(Role.NEXT_ATTEMPT).ifPresent(column -> all.add(nextAttempt(alias, column)));
        if (!columns.has(Role.NEXT_ATTEMPT)) {
            columns.find(Role.LAST_ATTEMPT).ifPresent(column -> all.add(lastAttempt(alias, column)));
        }
        columns.find(Role.CLAIMED_UNTIL).ifPresent(column -> all.add(isPast(alias, column)));
        return all.isEmpty() ? "1 = 1" : String.join(" AND ", all);
    }

    /** Not in the hands of a relay, as far as the table says. A row that may wait for its retry or be claimed counts as claimed. */
    String unclaimed(String alias) {
        if (columns.has(Role.CLAIMED_UNTIL)) {
            return isPast(alias, columns.of(Role.CLAIMED_UNTIL));
        }
        return columns.find(Role.NEXT_ATTEMPT)
                .map(column -> "(%s OR %s)".formatted(isPast(alias, column), waitsForSure(alias, column)))
                .orElse("1 = 1");
    }

    private String waitsForSure(String alias, Column nextAttempt) {
        return columns.mapping()
                .status
                .flatMap(StatusValues::sending)
                .map(sending -> "%s <> %s".formatted(status(alias), columns.status(sending)))
                .orElseGet(() -> nextAttempt.isNever(alias));
    }

    /** A row never tried is due whatever its column says, where a status tells it apart: writers fill it in by clocks of their own. */
    private String nextAttempt(String alias, Column column) {
        boolean isToldApart = !columns.has(Role.CLAIMED_UNTIL)
                && columns.mapping()
                        .status
                        .filter(values ->
                                values.sending().isPresent() && values.retry().isPresent())
                        .isPresent();
        return isToldApart
                ? "(%s = %s OR %s)"
                        .formatted(
                                status(alias),
                                columns.status(columns.mapping().status.get().pending()),
                                isPast(alias, column))
                : isPast(alias, column);
    }

    private static String isPast(String alias, Column column) {
        return "(%s IS NULL OR %s <= %s)".formatted(column.of(alias), column.of(alias), column.now());
    }

    private String lastAttempt(String alias, Column column) {
        String seconds = "LEAST(%s * POWER(%s, LEAST(GREATEST(%s, 1) - 1, 30)), %s)"
                .formatted(
                        seconds(columns.mapping().firstRetryDelay.toMillis()),
                        BigDecimal.valueOf(columns.mapping().retryMultiplier).toPlainString(),
                        attempts(alias),
                        seconds(columns.mapping().longestRetryDelay.toMillis()));
        String latest = columns.database().isPostgres()
                ? "%s - %s * INTERVAL '1 second'".formatted(column.now(), seconds)
                : "DATE_SUB(%s, INTERVAL CAST(%s * 1000000 AS SIGNED) MICROSECOND)".formatted(column.now(), seconds);
        // What was never tried first: the power of a number is dear to compute for each row of a backlog.
        return "(%s IS NULL OR (%s = 0 AND NOT %s) OR %s <= %s)"
                .formatted(column.of(alias), attempts(alias), column.isNever(alias), column.of(alias), latest);
    }

    private static String seconds(long millis) {
        return "%d.%03d".formatted(millis / 1000, millis % 1000);
    }

    /** Failed, and not to be tried yet. */
    String waiting(String alias) {
        return "%s AND NOT (%s)".formatted(alive(alias), due(alias));
    }

    /** Given up; in a table of its own every row is. */
    String dead(String alias) {
        if (columns.mapping().deadTable.isPresent()) {
            return "1 = 1";
        }
        return columns.mapping()
                .status
                .flatMap(StatusValues::dead)
                .map(value -> "%s = %s".formatted(status(alias), columns.status(value)))
                .or(() -> columns.mapping()
                        .deadAtAttempts()
                        .map(limit -> "%s AND %s >= %d".formatted(undelivered(alias), attempts(alias), limit)))
                .orElse(NEVER);
    }

    boolean knowsDead() {
        return columns.mapping().deadTable.isPresent()
                || columns.mapping().status.flatMap(StatusValues::dead).isPresent()
                || columns.mapping().deadAtAttempts().isPresent();
    }

    /** Delivered, where delivered rows are kept; in a table of its own every row is. */
    String delivered(String alias) {
        return columns.mapping().deliveredTable.isPresent() ? "1 = 1" : deliveredInPlace(alias);
    }

    /** Delivered, in the table that is written to; no row is where delivered rows move to a table of their own. */
    String deliveredInPlace(String alias) {
        if (columns.mapping().deliveredTable.isPresent()) {
            return NEVER;
        }
        return columns.mapping()
                .status
                .flatMap(StatusValues::delivered)
                .map(value -> "%s = %s".formatted(status(alias), columns.status(value)))
                .or(() -> columns.find(Role.DELIVERED).map(column -> column.of(alias) + " IS NOT NULL"))
                .orElse(NEVER);
    }

    /** Not delivered, in the table that is written to; in a form for which an index can be used. */
    String notDeliveredInPlace(String alias) {
        if (columns.mapping().deliveredTable.isPresent()) {
            return "1 = 1";
        }
        return columns.mapping()
                .status
                .flatMap(StatusValues::delivered)
                .map(value -> "(%1$s <> %2$s OR %1$s IS NULL)".formatted(status(alias), columns.status(value)))
                .or(() -> columns.find(Role.DELIVERED).map(column -> column.of(alias) + " IS NULL"))
                .orElse("1 = 1");
    }

    String attempts(String alias) {
        return columns.find(Role.ATTEMPTS)
                .map(column -> "COALESCE(%s, 0)".formatted(column.of(alias)))
                .orElse("0");
    }

    private String status(String alias) {
        return columns.of(Role.STATUS).of(alias);
    }
}
