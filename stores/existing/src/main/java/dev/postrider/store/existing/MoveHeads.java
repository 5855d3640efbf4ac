package dev.postrider.store.existing;

import dev.postrider.message.MessageId;
import dev.postrider.store.existing.Head.Texts;
import dev.postrider.store.existing.MoveTables.Opened;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads of each row what is small, out of the attributes of its event. */
final class MoveHeads {

    private static final String RETRIES = "t.retry_count";
    private static final String AGE = "TIMESTAMPDIFF(MICROSECOND, t.create_time, UTC_TIMESTAMP(6))";
    private static final String NOW = "CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)";
    private static final String METADATA_BYTES = "OCTET_LENGTH(t.metadata)";
    private static final String BYTES = "OCTET_LENGTH(t.data) + " + METADATA_BYTES;

    private final Database database;
    private final MoveTexts texts;
    private final String attempts;
    /** How many bytes the metadata of a pending row have. */
    private final String metadataBytes;

    MoveHeads(Database database, MoveTexts texts, Opened opened) {
        this.database = database;
        this.texts = texts;
        this.attempts = opened.countsRetries() ? RETRIES : "0";
        this.metadataBytes = opened.isJson() ? Column.jsonLength(database, "t.metadata") : METADATA_BYTES;
    }

    /** What rows of a table {@code t} are made of, without a look into their metadata; to be followed by FROM. */
    String selectWhole() {
        return """
            SELECT t.id AS row_key, t.metadata AS metadata, COALESCE(t.data, '') AS data, %s AS attempts, %s AS age, %s AS database_time\
            """.formatted(attempts, AGE, NOW);
    }

    /** The same with their length. Metadata and data are missing where they have more bytes than a parameter says, one for each. */
    String selectSmall() {
        return """
            SELECT t.id AS row_key, OCTET_LENGTH(t.data) + %s AS row_bytes,
                   IF(%s <= ?, t.metadata, NULL) AS metadata, IF(OCTET_LENGTH(t.data) <= ?, t.data, NULL) AS data,
                   %s AS attempts, %s AS age, %s AS database_time\
            """.formatted(metadataBytes, metadataBytes, attempts, AGE, NOW);
    }

    /** The heads of a table {@code t}, to be followed by FROM. */
    String select() {
        return select(attempts, "''", "0");
    }

    /** The heads of the table of rows that were given up. */
    String selectParked() {
        return select(RETRIES, "t.reason", "TIMESTAMPDIFF(MICROSECOND, t.park_time, UTC_TIMESTAMP(6))");
    }

    private String select(String failures, String reason, String since) {
        return """
            SELECT t.id AS row_key, %s AS message_key, %s AS topic, %s AS type, %s AS attempts, %s AS error, %s AS dead_for,
                   %s AS event_id,
                   %s AS age, %s AS database_time, %s AS row_bytes\
            """.formatted(key("t"), topic(), type(), failures, reason, since, member("t", "ID"), AGE, NOW, BYTES);
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
        Attributes attributes = new Attributes(
                Optional.ofNullable(row.getString("event_id")),
                Optional.ofNullable(row.getString("message_key")),
                texts);
        return head(row, key, attributes, row.getLong("row_bytes"));
    }

    /** The same out of metadata that were read, as the statements take it out of them. */
    Head head(ResultSet row, CloudMetadata metadata) throws SQLException {
        Map<String, String> known = new HashMap<>();
        Optional<String> type = metadata.plain("Type");
        type.ifPresent(text -> known.put(Texts.TYPE, text));
        known.put(Texts.TOPIC, texts.topic().orElseGet(() -> beforeLastDot(type.orElse(""))));
        Optional<String> key =
                texts.isKeySubject() ? metadata.plain("Subject") : metadata.plainExtension(texts.keyAttribute());
        Attributes attributes = new Attributes(metadata.plain("ID"), key.filter(text -> !text.isEmpty()), known);
        return head(row, RowKey.read(row, "row_key", ColumnKind.BYTES), attributes, 0);
    }

    private static String beforeLastDot(String type) {
        return type.indexOf('.') < 0 ? type : type.substring(0, type.lastIndexOf('.'));
    }

    /** What the metadata of a row say. */
    private record Attributes(Optional<String> id, Optional<String> key, Map<String, String> texts) {}

    private static Head head(ResultSet row, RowKey key, Attributes attributes, long bytes) throws SQLException {
        Optional<String> id = attributes.id().filter(text -> !text.isEmpty());
        Instant now = Times.of(row, "database_time");
        return new Head(
                key,
                Head.idOf(() -> id.map(MessageId::of).orElseGet(() -> key.messageId("event")), key, attributes.texts()),
                attributes.key(),
                row.getInt("attempts"),
                now.minus(Times.span(row, "age")),
                now,
                attributes.texts(),
                bytes);
    }
}
