package dev.postrider.store.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A copy of messages from one table to another inside the database.
 *
 * @param content what is read for the columns of a message, in the order of {@link MessageColumns#ALL}
 * @param extras the columns that the target has beside those of a message, each with its SQL expression, in the order in
 *     which their parameters are bound
 */
record RowMove(TableName from, TableName to, String content, Map<String, String> extras) {

    static RowMove between(Dialect dialect, TableName from, TableName to) {
        String content = MessageColumns.ALL.replace("created_at", dialect.possibleTime("created_at"));
        return new RowMove(from, to, content, Map.of());
    }

    /** The same for rows whose headers and payload cannot be read. */
    RowMove withoutContent(PayloadFormat format) {
        String payload = format == PayloadFormat.JSON ? "'null'" : "''";
        String remains = content.replaceAll("\\bheaders\\b", "NULL").replaceAll("\\bpayload\\b", payload);
        return new RowMove(from, to, remains, extras);
    }

    RowMove with(String column, String expression) {
        Map<String, String> more = new LinkedHashMap<>(extras);
        more.put(column, expression);
        return new RowMove(from, to, content, more);
    }

    /** The parameters of the extras come before those of the condition. */
    String sql(String condition) {
        return sql("", condition);
    }

    /** The hint follows the table that is read. */
    String sql(String hint, String condition) {
        return "INSERT INTO %s (%s%s) SELECT %s%s FROM %s%s WHERE %s"
                .formatted(
                        to,
                        MessageColumns.ALL,
                        joined(extras.keySet()),
                        content,
                        joined(extras.values()),
                        from,
                        hint,
                        condition);
    }

    private static String joined(Iterable<String> parts) {
        StringBuilder sql = new StringBuilder();
        parts.forEach(part -> sql.append(", ").append(part));
        return sql.toString();
    }
}
