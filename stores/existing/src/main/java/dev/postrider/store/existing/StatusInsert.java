package dev.postrider.store.existing;

import dev.postrider.message.Due;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes messages to a table with a status as its services do: undelivered, with no failed attempt, at the database's time. What the
 * table has no place for is refused: it would get lost on the way.
 */
final class StatusInsert {

    private static final int ROWS_AT_ONCE = 100;
    private static final String LEAVE_OUT = "has no place in %s; leave it out";

    private final TableColumns columns;
    private final String defaultContentType;
    private final MessageIdGenerator rowIds = MessageIdGenerator.uuidV7();

    StatusInsert(TableColumns columns, String defaultContentType) {
        this.columns = columns;
        this.defaultContentType = defaultContentType;
    }

    void insert(Connection connection, List<OutboxMessage> messages) throws SQLException {
        List<NewRow> rows = messages.stream().map(this::row).toList();
        // Rows of one statement have one time; where their ids do not rise, only their times tell their order.
        int atOnce = columns.id().kind() == ColumnKind.TEXT ? 1 : ROWS_AT_ONCE;
        for (int from = 0; from < rows.size(); from += atOnce) {
            NewRow.insertion(columns.table(), rows.subList(from, Math.min(rows.size(), from + atOnce)))
                    .update(connection);
        }
    }

    private NewRow row(OutboxMessage message) {
        if (!(message.due() instanceof Due.Now)) {
            throw noPlace("due");
        }
        message.dedupKey().ifPresent(key -> {
            throw noPlace("dedupKey");
        });
        NewRow row = new NewRow();
        putIds(row, message.id());
        putText(row, "type", columns.mapping().type, message.type());
        putText(row, "topic", columns.topic(), message.topic());
        putText(row, "contentType", contentType(), message.contentType());
        putKey(row, message);
        putPayload(row, message);
        putHeaders(row, message);
        putState(row);
        return row;
    }

    private void putIds(NewRow row, MessageId id) {
        Optional<Column> messageId = columns.find(Role.MESSAGE_ID);
        messageId.ifPresent(column -> row.put(column, "id", idValue(column, id)));
        if (messageId.isEmpty()) {
            row.put(columns.id(), "id", idValue(columns.id(), id));
        } else if (columns.id().kind() == ColumnKind.UUID || columns.id().kind() == ColumnKind.BYTES) {
            // Rising, so that rows of the same time keep their order.
            row.put(columns.id(), "id", idValue(columns.id(), rowIds.next()));
        }
    }

    private Object idValue(Column column, MessageId id) {
        if (column.kind() == ColumnKind.TEXT) {
            return NewRow.fitting(column, "id", id.text());
        }
        if (column.kind() == ColumnKind.NUMBER) {
            throw new InvalidMessageException(
                    "id",
                    "has no place in %s, whose column %s is a number; map a column for it as message-id"
                            .formatted(name(), column.name()));
        }
        UUID uuid = id.foreignText().isPresent() ? null : UUID.fromString(id.text());
        if (uuid == null || (columns.has(Role.PARTITION) && uuid.version() != 7)) {
            throw new InvalidMessageException(
                    "id",
                    "is '%s', but column %s of %s holds %s only"
                            .formatted(
                                    id.text(),
                                    column.name(),
                                    name(),
                                    columns.has(Role.PARTITION) ? "UUIDs of version 7" : "UUIDs"));
        }
        return column.kind() == ColumnKind.UUID ? uuid : id.toBytes();
    }

    private MappedText contentType() {
        return columns.mapping().contentType.orElseGet(() -> MappedText.fixed(defaultContentType));
    }

    private void putText(NewRow row, String field, MappedText place, String value) {
        if (place.column().isPresent()) {
            row.putText(columns.named(place.column().get()), field, value);
        } else if (!place.text().equals(Optional.of(value))) {
            throw new InvalidMessageException(
                    field,
                    "is '%s', but all rows of %s have '%s'; use that one"
                            .formatted(value, name(), place.text().orElseThrow()));
        }
    }

    /** A column that may not be NULL holds an empty text for a message without a key. */
    private void putKey(NewRow row, OutboxMessage message) {
        if (message.key().isPresent() && !columns.has(Role.KEY)) {
            throw noPlace("key");
        }
        columns.find(Role.KEY).ifPresent(column -> {
            if (message.key().isPresent() || !column.isNullable()) {
                row.putText(column, "key", message.key().orElse(""));
            }
        });
    }

    private void putPayload(NewRow row, OutboxMessage message) {
        Column column = columns.payload();
        row.put(column, "payload", column.kind() == ColumnKind.BYTES ? message.payload() : text(message.payload()));
    }

    private String text(byte[] payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
        } catch (CharacterCodingException noText) {
            throw new InvalidMessageException(
                    "payload",
                    "is no text in UTF-8, but column %s of %s holds texts only"
                            .formatted(columns.payload().name(), name()));
        }
    }

    private void putHeaders(NewRow row, OutboxMessage message) {
        Optional<String> aggregateType = message.headers().get(Headers.AGGREGATE_TYPE);
        Optional<Column> aggregate = columns.find(Role.AGGREGATE_TYPE);
        if (aggregateType.isPresent() && aggregate.isPresent()) {
            row.putText(aggregate.get(), "header " + Headers.AGGREGATE_TYPE, aggregateType.get());
        }
        Map<String, String> others = new LinkedHashMap<>(message.headers().asMap());
        others.remove(Headers.AS_WRITTEN);
        aggregate.ifPresent(column -> others.remove(Headers.AGGREGATE_TYPE));
        if (!others.isEmpty()) {
            Column column = columns.find(Role.HEADERS).orElseThrow(() -> noPlace("header " + others.keySet()));
            row.put(column, "headers", MessageMaker.write(others, message));
        }
    }

    private void putState(NewRow row) {
        columns.mapping()
                .status
                .ifPresent(status -> row.putSql(columns.of(Role.STATUS), columns.status(status.pending())));
        columns.find(Role.ATTEMPTS).ifPresent(column -> row.putSql(column, "0"));
        columns.find(Role.CREATED).ifPresent(column -> row.putSql(column, column.now()));
        // A fraction might be rounded up, and the row then wait for it.
        columns.find(Role.NEXT_ATTEMPT)
                .filter(column -> !column.isNullable())
                .ifPresent(column -> row.putSql(column, column.nowInSeconds()));
    }

    private String name() {
        return columns.mapping().table.toString();
    }

    private InvalidMessageException noPlace(String field) {
        return new InvalidMessageException(field, LEAVE_OUT.formatted(name()));
    }
}
