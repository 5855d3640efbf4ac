package dev.postrider.store.jdbc;

import dev.postrider.internal.HeaderJson;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from rows that anybody may have written.
 *
 * <p>A statement selects {@link #columns}, which never bring a payload or headers beyond the limits into memory, and hands
 * each row to {@link #read}. A scan that must know the bytes first selects {@link #payloadBytes} before. Stateless and
 * thread-safe.
 */
public final class MessageReader {

    /** A control character of one byte becomes six in JSON; the rest is for quotes and commas. */
    private static final int JSON_GROWTH = 8;

    private static final int KIB = 1024;
    private static final MessageLimits LARGEST = new MessageLimits(64 * KIB * KIB, KIB * KIB);

    private final Dialect dialect;
    private final MessageLimits limits;

    public MessageReader(Dialect dialect, MessageLimits limits) {
        this.dialect = dialect;
        this.limits = limits;
    }

    /** For rows that were accepted once: limits lowered since then do not make them unreadable. */
    public static MessageReader ofAcceptedRows(Dialect dialect) {
        return new MessageReader(dialect, LARGEST);
    }

    /** Everything that the methods below need, of the table with this alias. */
    public String columns(String alias) {
        String payload = alias + ".payload";
        String headers = alias + ".headers";
        return """
                %1$s.lane, %1$s.seq, %1$s.id, %1$s.topic, %1$s.message_key, %1$s.type, %1$s.content_type, %1$s.created_at,
                %2$s AS payload_bytes, CASE WHEN %2$s <= %3$d THEN %4$s END AS payload,
                %5$s AS headers_bytes, CASE WHEN %5$s <= %6$d THEN %7$s END AS headers""".formatted(
                        alias,
                        dialect.octetLength(payload),
                        limits.maxPayloadBytes(),
                        payload,
                        dialect.octetLength(headers),
                        maxJsonBytes(),
                        headers);
    }

    /** An expression for the bytes that reading the payload would take: none when it is over the limit. */
    public String payloadBytes(String alias) {
        String length = dialect.octetLength(alias + ".payload");
        return "CASE WHEN %1$s <= %2$d THEN %1$s ELSE 0 END".formatted(length, limits.maxPayloadBytes());
    }

    public RowRef ref(ResultSet row) throws SQLException {
        return new RowRef(row.getInt("lane"), row.getLong("seq"), dialect.getId(row, "id"));
    }

    public Optional<String> key(ResultSet row) throws SQLException {
        return Optional.ofNullable(row.getString("message_key"));
    }

    public Instant createdAt(ResultSet row) throws SQLException {
        return dialect.getInstant(row, "created_at");
    }

    /** The message of the row, or why there is none. */
    public RowContent read(ResultSet row) throws SQLException {
        Optional<String> tooLong = tooLong(row);
        if (tooLong.isPresent()) {
            return new RowContent.Unreadable(tooLong.get());
        }
        try {
            OutboxMessage message = message(row);
            limits.check(message);
            return new RowContent.Readable(message);
        } catch (IllegalArgumentException | InvalidMessageException unreadable) {
            return new RowContent.Unreadable(String.valueOf(unreadable.getMessage()));
        }
    }

    private Optional<String> tooLong(ResultSet row) throws SQLException {
        long payload = row.getLong("payload_bytes");
        if (payload > limits.maxPayloadBytes()) {
            return Optional.of(
                    "payload is %d bytes long, the limit is %d".formatted(payload, limits.maxPayloadBytes()));
        }
        long headers = row.getLong("headers_bytes");
        return headers > maxJsonBytes()
                ? Optional.of("headers are %d bytes long as JSON, the limit is %d".formatted(headers, maxJsonBytes()))
                : Optional.empty();
    }

    private OutboxMessage message(ResultSet row) throws SQLException {
        MessageId id = dialect.getId(row, "id");
        OutboxMessage.Builder builder = OutboxMessage.builder(row.getString("topic"), () -> id)
                .type(row.getString("type"))
                .contentType(row.getString("content_type"))
                .headers(headers(row))
                .payload(payload(row));
        String key = row.getString("message_key");
        return (key == null ? builder : builder.key(key)).build();
    }

    private static Headers headers(ResultSet row) throws SQLException {
        String json = row.getString("headers");
        return json == null ? Headers.none() : Headers.of(HeaderJson.read(json));
    }

    private byte[] payload(ResultSet row) throws SQLException {
        byte @Nullable [] payload = dialect.getPayload(row, "payload");
        return payload == null ? new byte[0] : payload;
    }

    private long maxJsonBytes() {
        return (long) limits.maxHeaderBytes() * JSON_GROWTH;
    }
}
