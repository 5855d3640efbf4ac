package dev.postrider.store.existing;

import dev.postrider.message.MessageId;
import dev.postrider.store.existing.Head.Texts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads of each row what is small, out of the attributes of its event. */
final class MoveHeads {

    private static final String RETRIES = "t.retry_count";

    private final Database database;
    private final MoveTexts texts;
    private final String attempts;

    /** @param countsRetries whether pending rows have a count of their attempts */
    MoveHeads(Database database, MoveTexts texts, boolean countsRetries) {
        this.database = database;
        this.texts = texts;
        this.attempts = countsRetries ? RETRIES : "0";
    }

    /** The heads of a table {@code t}, to be followed by FROM. */
    String select() {
        return select(attempts, "''", "0");
    }

    /** The heads of the table of rows that were given up. */
    String selectParked() {
        return select(RETRIES, "t.reason", "TIMESTAMPDIFF(MICROSECOND, t.park_time, UTC_TIMESTAMP(6)) / 1000000");
    }

    private String select(String failures, String reason, String since) {
        return """
            SELECT t.id AS row_key, %s AS message_key, %s AS topic, %s AS type, %s AS attempts, %s AS error, %s AS dead_for,
                   %s AS event_id,
                   TIMESTAMPDIFF(MICROSECOND, t.create_time, UTC_TIMESTAMP(6)) * 0.000001 AS age,
                   UNIX_TIMESTAMP(NOW(6)) AS database_time,
                   OCTET_LENGTH(t.data) + OCTET_LENGTH(t.metadata) AS row_bytes\
            """.formatted(key("t"), topic(), type(), failures, reason, since, member("t", "ID"));
    }

    private static String type() {
        return member("t", "Type");
    }

    /** What stands before the last dot of the type, or the one topic for all. */
    String topic() {
        return texts.topic()
                .map(database::literal)
                .orElseGet(() ->
                        "COALESCE(IF(INSTR(%1$s, '.') = 0, %1$s, LEFT(%1$s, CHAR_LENGTH(%1$s) - LOCATE('.', REVERSE(%1$s)))), '')"
                                .formatted(type()));
    }

    String key(String alias) {
        return "NULLIF(%s, '')".formatted(member(alias, texts.keyPath()));
    }

    /** A column of texts may hold anything; what is no JSON must not stop the rows around it. */
    private static String member(String alias, String name) {
        return "JSON_UNQUOTE(JSON_EXTRACT(IF(JSON_VALID(%1$s.metadata), %1$s.metadata, '{}'), '$.%2$s'))"
                .formatted(alias, name);
    }

    static Head head(ResultSet row) throws SQLException {
        RowKey key = RowKey.read(row, "row_key", ColumnKind.BYTES);
        Map<String, String> texts = new HashMap<>();
        HeadQuery.put(texts, row, Texts.TOPIC);
        HeadQuery.put(texts, row, Texts.ERROR);
        HeadQuery.put(texts, row, Texts.TYPE);
        String eventId = row.getString("event_id");
        return new Head(
                key,
                Head.idOf(
                        () -> eventId == null || eventId.isEmpty() ? key.messageId("event") : MessageId.of(eventId),
                        key,
                        texts),
                Optional.ofNullable(row.getString("message_key")),
                row.getInt("attempts"),
                Times.before(row, "database_time", "age"),
                Times.of(row, "database_time"),
                texts,
                row.getLong("row_bytes"));
    }
}
