package dev.postrider.store.existing;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.store.existing.Head.Texts;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes messages of rows. Payloads stay as they are; members of the headers that are no texts become texts: numbers as they are written,
 * what is nested as JSON. The time of an event that names none is when its row was written.
 */
final class MessageMaker {

    private static final Map<String, String> WELL_KNOWN =
            Map.of("correlation_id", Headers.CORRELATION_ID, "causation_id", Headers.CAUSATION_ID);
    private static final Map<String, String> MEMBERS =
            Map.of(Headers.CORRELATION_ID, "correlation_id", Headers.CAUSATION_ID, "causation_id");

    private final TableColumns columns;

    MessageMaker(TableColumns columns) {
        this.columns = columns;
    }

    Body body(ResultSet row) throws SQLException {
        return new Body(
                bytes(row, columns.payload()),
                columns.has(Role.HEADERS) ? Optional.ofNullable(row.getString("headers")) : Optional.empty());
    }

    private static byte[] bytes(ResultSet row, Column column) throws SQLException {
        if (column.kind() == ColumnKind.BYTES) {
            byte[] bytes = row.getBytes("payload");
            return bytes == null ? new byte[0] : bytes;
        }
        String text = row.getString("payload");
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    OutboxMessage message(Head head, Body body) {
        OutboxMessage.Builder message = OutboxMessage.builder(required(head, Texts.TOPIC))
                .id(head.checkedId())
                .type(required(head, Texts.TYPE))
                .contentType(head.text(Texts.CONTENT_TYPE).orElseGet(this::defaultContentType))
                .payload(body.payload());
        head.messageKey().filter(key -> !key.isEmpty()).ifPresent(message::key);
        WrittenHeaders headers = new WrittenHeaders(columns.mapping().isLenient);
        body.headers().ifPresent(json -> read(json, headers));
        head.text(Texts.AGGREGATE_TYPE).ifPresent(type -> headers.putIfAbsent(Headers.AGGREGATE_TYPE, type));
        // A row without a time counts as written when it is read, which is another time at the next attempt.
        if (columns.has(Role.CREATED) && !head.createdAt().equals(head.databaseTime())) {
            headers.putIfAbsent(Headers.TIME, head.createdAt().toString());
        }
        return message.headers(headers.asMap()).build();
    }

    private static String required(Head head, String name) {
        return head.text(name).orElseThrow(() -> new InvalidMessageException(name, "is NULL"));
    }

    String defaultContentType() {
        return columns.payload().kind() == ColumnKind.BYTES ? OutboxMessage.DEFAULT_CONTENT_TYPE : "application/json";
    }

    /** Of the members only those are attributes, and have a type, that have a name of one. */
    static WrittenHeaders read(String json, WrittenHeaders headers) {
        object(json).forEach((member, value) -> {
            String name = WELL_KNOWN.getOrDefault(member, member);
            if (name.startsWith(Headers.EXTENSION_PREFIX)) {
                headers.put(name, value);
            } else {
                value.asHeader().ifPresent(text -> headers.put(name, text));
            }
        });
        return headers;
    }

    /** What {@link #read} makes these headers of; attributes of an event keep their types. */
    static String write(Map<String, String> headers, OutboxMessage message) {
        CloudEventAttributes event = CloudEventAttributes.of(message, "/");
        Map<String, String> members = new LinkedHashMap<>();
        headers.forEach((header, value) -> members.put(MEMBERS.getOrDefault(header, header), value));
        return HeaderJson.write(
                members,
                name -> !name.startsWith(Headers.EXTENSION_PREFIX)
                        || event.isText(name.substring(Headers.EXTENSION_PREFIX.length())));
    }

    static Map<String, JsonText.Value> object(String json) {
        try {
            return json.equals("null") ? Map.of() : JsonText.lastMembers(json);
        } catch (IllegalArgumentException problem) {
            throw new InvalidMessageException("headers", String.valueOf(problem.getMessage()));
        }
    }
}
