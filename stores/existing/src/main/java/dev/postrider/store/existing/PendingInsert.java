package dev.postrider.store.existing;

import dev.postrider.message.Due;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Writes messages to the pending table as the services do to which it belongs, the row's id being that of the event. What the table
 * has no place for is refused: it would get lost on the way.
 */
final class PendingInsert {

    private final String table;
    private final MoveTexts texts;

    PendingInsert(String table, MoveTexts texts) {
        this.table = table;
        this.texts = texts;
    }

    void insert(Connection connection, List<OutboxMessage> messages) throws SQLException {
        for (OutboxMessage message : messages) {
            requirePlace(message);
            Sql.of(
                            "INSERT INTO %s (id, metadata, data, create_time) VALUES (?, ?, ?, UTC_TIMESTAMP(6))"
                                    .formatted(table),
                            rowId(message.id()).toBytes(),
                            CloudMetadata.write(message, subject(message)),
                            message.payload())
                    .update(connection);
        }
    }

    /** Rows are relayed in the order of their ids: a foreign id, which has no order, is in the metadata only. */
    private static MessageId rowId(MessageId id) {
        return id.foreignText().isPresent() ? MessageIdGenerator.uuidV7().next() : id;
    }

    private void requirePlace(OutboxMessage message) {
        if (!(message.due() instanceof Due.Now) || message.dedupKey().isPresent()) {
            throw new InvalidMessageException("due", "or a dedup key has no place in " + table + "; leave both out");
        }
        String expected = texts.topic().orElseGet(() -> service(message.type()));
        if (!message.topic().equals(expected)) {
            throw new InvalidMessageException(
                    "topic",
                    "is '" + message.topic() + "', but rows of " + table + " with type '" + message.type() + "' go to '"
                            + expected + "'; use that one");
        }
    }

    /** As the relay tells the topic of a row. */
    private static String service(String type) {
        return type.contains(".") ? type.substring(0, type.lastIndexOf('.')) : type;
    }

    /**
     * The key is an attribute here, usually the subject. One that is the topic asks for one order of all its events, which these tables keep
     * by themselves.
     */
    private Optional<String> subject(OutboxMessage message) {
        Optional<String> subject = message.headers().get(Headers.SUBJECT);
        Optional<String> key = message.key().filter(value -> !value.equals(message.topic()));
        if (key.isEmpty()) {
            return subject;
        }
        Optional<String> told =
                texts.isKeySubject() ? subject.or(() -> key) : message.headers().get("ce_" + texts.keyAttribute());
        if (!told.equals(key)) {
            throw new InvalidMessageException(
                    "key",
                    "is not the %s, which is the key of these rows; give both the same value"
                            .formatted(texts.keyAttribute()));
        }
        return texts.isKeySubject() ? key : subject;
    }
}
